import type { FastifyInstance } from 'fastify'
import { makeOpenapi } from '@/lib/contract/openapi'
import { problemBase, problemCatalogue } from './http/problem'

export const openapiAddress = { method: 'GET', path: '/openapi.json' } as const

/**
 * Adds GET /openapi.json: the interface as OpenAPI 3.1. It tells nothing of any merchant and needs no credential, so
 * requests for it are limited by address.
 */
export function serveOpenapi(app: FastifyInstance, requestsPerMinute: number): void {
  const problems = Object.entries(problemCatalogue).map(([code, entry]) => ({
    type: `${problemBase}${code}`,
    ...entry,
  }))
  const text = JSON.stringify(makeOpenapi(problems))
  app.get(openapiAddress.path, { config: { rateLimit: { max: requestsPerMinute } } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .type('application/json; charset=utf-8')
      .send(text),
  )
}
