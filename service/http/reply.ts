import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HandlerReply } from './handler'
import type { Problem } from './problem'

const replyTypes = ['application/json', 'text/json', 'text/plain'] as const
const problemTypes = [...replyTypes, 'application/problem+json'] as const

type MediaRange = { type: string; quality: number }

const weightPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/u

function parseAccept(accept: string): MediaRange[] {
  return accept.split(',').flatMap((part): MediaRange[] => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    return type !== '' && weightPattern.test(weight) ? [{ type, quality: Number(weight) }] : []
  })
}

/** The most specific media range of Accept that matches a type (RFC 9110, 12.5.1). */
function findMediaRange(accepted: readonly MediaRange[], type: string): MediaRange | undefined {
  const ranges = type === 'application/problem+json' ? [type] : [type, `${type.split('/')[0]}/*`, '*/*']
  return ranges.map((range) => accepted.find((wish) => wish.type === range)).find((wish) => wish !== undefined)
}

/**
 * Chooses the media type of a reply by Accept: one of the three that the interface names, or application/problem+json for
 * problems if it is requested by name. Of equal qualities the first type wins. If none matches, the first type that is
 * not excluded by `q=0`.
 */
export function chooseReplyType(accept: string | undefined, problem = false): string {
  const accepted = parseAccept(accept ?? '')
  const wished = (problem ? problemTypes : replyTypes).map((type) => ({ type, wish: findMediaRange(accepted, type) }))
  const [best] = wished
    .flatMap(({ type, wish }) => (wish && wish.quality > 0 ? [{ type, wish }] : []))
    .toSorted(
      (one, other) =>
        other.wish.quality - one.wish.quality || accepted.indexOf(one.wish) - accepted.indexOf(other.wish),
    )
  return best?.type ?? wished.find(({ wish }) => !wish)?.type ?? replyTypes[0]
}

/** Whether a Content-Type is allowed for bodies (docs/upstream-api.md, section 4) and UTF-8. */
export function isJsonType(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((piece) => piece.trim().toLowerCase())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') return false
  // The interface documents `application/*+json`, and a client may send exactly that.
  return /^(?:application|text)\/json$|^application\/(?:\*|[\w!#$&^.-]{1,100})\+json$/u.test(type)
}

const traceParent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/u

/** A traceparent (W3C Trace Context) that continues the caller's trace, or starts a new one. */
export function makeTraceId(header: string | string[] | undefined): string {
  const trace = typeof header === 'string' ? traceParent.exec(header)?.[1] : undefined
  return `00-${trace ?? randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`
}

/** No reply may be cached or sniffed. */
function setCommonHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
}

/** Sends a reply in the media type requested by Accept; text is text/plain. */
export function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: HandlerReply,
  replayed = false,
): FastifyReply {
  // A replayed success is 208, as in the documented deployment (deployment facts).
  setCommonHeaders(reply).code(replayed ? 208 : answer.status)
  if (answer.location) reply.header('location', answer.location)
  if (replayed) reply.header('idempotency-replayed', 'true')
  if (answer.body === undefined) return reply.send()
  if (typeof answer.body === 'string') return reply.type('text/plain; charset=utf-8').send(answer.body)
  const body = answer.once && !replayed ? { ...answer.body, ...answer.once } : answer.body
  return reply.type(`${chooseReplyType(request.headers.accept)}; charset=utf-8`).send(JSON.stringify(body))
}

/** Sends a problem record (docs/upstream-api.md, section 7). */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  replayed = false,
): FastifyReply {
  const record = problem.toRecord(randomUUID(), makeTraceId(request.headers.traceparent))
  if (replayed) reply.header('idempotency-replayed', 'true')
  return setCommonHeaders(reply)
    .code(problem.status)
    .headers(problem.extras.headers ?? {})
    .type(`${chooseReplyType(request.headers.accept, true)}; charset=utf-8`)
    .send(JSON.stringify(record))
}
