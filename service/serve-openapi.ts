import type { FastifyInstance } from 'fastify'
import { makeOpenapi } from '@/lib/contract/openapi'
import { problemBase, problemCatalogue } from './http/problem'

/** Adds GET /openapi.json: the interface as OpenAPI 3.1. It tells nothing of any merchant and needs no credential. */
export function serveOpenapi(app: FastifyInstance): void {
  const problems = Object.entries(problemCatalogue).map(([code, entry]) => ({
    type: `${problemBase}${code}`,
    ...entry,
  }))
  const text = JSON.stringify(makeOpenapi(problems))
  app.get('/openapi.json', (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('x-content-type-options', 'nosniff')
      .type('application/json; charset=utf-8')
      .send(text),
  )
}
