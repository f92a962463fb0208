import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../handler'
import { chooseReplyType } from './media-types'
import type { Problem } from './problem'

const traceParent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/u

/** A trace-parent: the caller's trace where a `traceparent` came (W3C Trace Context), else a new one. */
export function makeTraceId(header: string | string[] | undefined): string {
  const trace = typeof header === 'string' ? traceParent.exec(header)?.[1] : undefined
  return `00-${trace ?? randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`
}

/** Every reply of the service is for one caller and one moment. */
function dress(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
}

/** Writes an answer in the media type that Accept asks for; text is text/plain. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  replayed = false,
): FastifyReply {
  // A replayed success is 208, as the documented deployment has it (deployment facts).
  dress(reply).code(replayed ? 208 : answer.status)
  if (answer.location) reply.header('location', answer.location)
  if (replayed) reply.header('idempotency-replayed', 'true')
  if (answer.body === undefined) return reply.send()
  if (typeof answer.body === 'string') return reply.type('text/plain; charset=utf-8').send(answer.body)
  const body = answer.once && !replayed ? { ...answer.body, ...answer.once } : answer.body
  return reply.type(`${chooseReplyType(request.headers.accept)}; charset=utf-8`).send(JSON.stringify(body))
}

/** Writes a refusal as a problem record (docs/upstream-api.md, section 7). */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  replayed = false,
): FastifyReply {
  const record = problem.toRecord(randomUUID(), makeTraceId(request.headers.traceparent))
  if (replayed) reply.header('idempotency-replayed', 'true')
  return dress(reply)
    .code(problem.status)
    .headers(problem.extras.headers ?? {})
    .type(`${chooseReplyType(request.headers.accept, true)}; charset=utf-8`)
    .send(JSON.stringify(record))
}
