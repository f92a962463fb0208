import { randomBytes, randomUUID } from 'node:crypto'

/** Correlates the log lines, the reply and the service's log of one request. */
export type Trace = {
  /** Shown to people as the incident's id, and sent to the browser as `x-request-id`. */
  requestId: string
  /** Shared by everything one action causes: the caller's trace id, else the request id without hyphens. */
  traceId: string
  /** W3C Trace Context, version 00, with our own span. */
  traceparent: string
}

const traceContext = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/u

/**
 * The trace of a request: continues a valid `traceparent` with a new span and its sampling flag, else starts a new one.
 * Nothing else of the caller's is used.
 */
export function startTrace(traceparent?: string | null): Trace {
  const requestId = randomUUID()
  const [, version, given, flags = '', more] = traceContext.exec(traceparent ?? '') ?? []
  // Later versions may append fields; version 00 may not.
  const isValid = given !== undefined && (version !== '00' || more === undefined)
  const traceId = isValid ? given : requestId.replaceAll('-', '')
  const isSampled = !isValid || Number.parseInt(flags, 16) % 2 === 1
  const span = randomBytes(8).toString('hex')
  return { requestId, traceId, traceparent: `00-${traceId}-${span}-${isSampled ? '01' : '00'}` }
}

const accept = 'application/json, text/json;q=0.9, application/problem+json;q=0.9, text/plain;q=0.8'

/**
 * The headers of a request to the service: this closed list and the credential, nothing from the browser.
 * `content-length` is added when the body is written.
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

/** The reply headers the desk reads; others are dropped. */
const readHeaders = ['retry-after', 'date', 'location'] as const

/** Picks the closed list of headers from a reply; of repeated ones, the first. */
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
 * Sets the headers of every authenticated reply. The response's headers must be mutable, unlike those of
 * `Response.redirect`; copying each response would cost more than everything else here.
 */
export function setReplyHeaders(response: Response, { requestId, traceparent }: Trace): Response {
  const { headers } = response
  if (headers.get('content-type') === 'application/json') headers.set('content-type', 'application/json; charset=utf-8')
  // Kept from the handler: whatever is sent piece by piece must not be collected for a compression.
  const kept = headers.get('cache-control') === 'no-transform' ? ', no-transform' : ''
  headers.set('cache-control', `private, no-store${kept}`)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('x-request-id', requestId)
  headers.set('traceparent', traceparent)
  return response
}
