import { randomBytes, randomUUID } from 'node:crypto'

/** What ties the log lines, the reply and the service's own log of one request together. */
export type Trace = {
  /** Told to people as the incident's name, and to the browser as `x-request-id`. */
  requestId: string
  /** Shared by everything that one action of somebody caused: that of the caller's trace, else the request id without hyphens. */
  traceId: string
  /** W3C Trace Context, version 00, with a span of our own. */
  traceparent: string
}

const traceContext = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/u

/**
 * The trace of one request: that of a sound `traceparent` goes on under a new span, with its sampling flag;
 * anything else begins a new one. Nothing else that a caller sends finds its way into it.
 */
export function startTrace(traceparent?: string | null): Trace {
  const requestId = randomUUID()
  const [, version, given, flags = '', more] = traceContext.exec(traceparent ?? '') ?? []
  // Later versions may say more behind what is known; the present one may not.
  const isSound = given !== undefined && (version !== '00' || more === undefined)
  const traceId = isSound ? given : requestId.replaceAll('-', '')
  const isSampled = !isSound || Number.parseInt(flags, 16) % 2 === 1
  const span = randomBytes(8).toString('hex')
  return { requestId, traceId, traceparent: `00-${traceId}-${span}-${isSampled ? '01' : '00'}` }
}

const accept = 'application/json, text/json;q=0.9, application/problem+json;q=0.9, text/plain;q=0.8'

/**
 * The headers of a request to the service: this closed list and the credential, nothing that the browser
 * sent. `content-length` is added from the body when it is written.
 */
export function buildUpstreamHeaders(request: {
  hasBody: boolean
  traceparent: string
  idempotencyKey?: string | undefined
}): Record<string, string> {
  const headers: Record<string, string> = { accept, 'user-agent': 'debitdesk', traceparent: request.traceparent }
  if (request.hasBody) headers['content-type'] = 'application/json'
  if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey
  return headers
}

/** The headers of a reply of the service that the desk reads; the others go no further than this. */
const readHeaders = ['retry-after', 'location'] as const

/** Takes from a reply the headers on the closed list; of a repeated one, the first. */
export function pickReplyHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    readHeaders.flatMap((name) => {
      const value = headers[name]
      const first = Array.isArray(value) ? value[0] : value
      return first === undefined ? [] : [[name, first]]
    }),
  )
}

/**
 * Puts on a reply to the browser what every authenticated reply carries. Its headers must not be fixed, as
 * those of `Response.redirect` are; wrapping every reply again would cost more than all else here.
 */
export function setReplyHeaders(response: Response, { requestId, traceparent }: Trace): Response {
  const { headers } = response
  if (headers.get('content-type') === 'application/json') headers.set('content-type', 'application/json; charset=utf-8')
  headers.set('cache-control', 'private, no-store')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('x-request-id', requestId)
  headers.set('traceparent', traceparent)
  return response
}
