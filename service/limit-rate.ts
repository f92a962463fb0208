import { createHash } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { Problem } from './http/problem'

/**
 * Limits requests per minute and credential (who sends none is told apart by address). Beyond it the
 * answer is 429 with Retry-After in whole seconds; GET / is never limited.
 */
export async function limitRate(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    enableDraftSpec: true,
    allowList: (request) => request.url === '/',
    keyGenerator: ({ headers, ip }) =>
      headers.authorization ? createHash('sha256').update(headers.authorization).digest('hex') : ip,
    errorResponseBuilder: (_request, { max, ttl }) => {
      const seconds = Math.max(1, Math.ceil(ttl / 1_000))
      const detail = `A credential may make ${max} requests a minute. Try again in ${seconds} s.`
      return new Problem('too-many-requests', detail, { headers: { 'retry-after': String(seconds) } })
    },
  })
}
