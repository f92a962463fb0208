import { randomBytes, randomUUID } from 'node:crypto'

/** What ties the log lines, the reply and the service's own log of one request together. */
export type Trace = {
  /** Told to people as the incident's name, and to the browser as `x-request-id`. */
  requestId: string
  /** W3C Trace Context level 1, version 00: its trace id is the request id without hyphens. */
  traceparent: string
}

/** A fresh trace. Nothing that a browser sends finds its way into it. */
export function startTrace(): Trace {
  const requestId = randomUUID()
  return { requestId, traceparent: `00-${requestId.replaceAll('-', '')}-${randomBytes(8).toString('hex')}-01` }
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
const readHeaders = ['retry-after'] as const

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
export function sealReply(response: Response, { requestId, traceparent }: Trace): Response {
  const { headers } = response
  if (headers.get('content-type') === 'application/json') headers.set('content-type', 'application/json; charset=utf-8')
  headers.set('cache-control', 'private, no-store')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('x-request-id', requestId)
  headers.set('traceparent', traceparent)
  return response
}
