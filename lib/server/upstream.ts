import type { Endpoint } from '@/lib/contract/endpoint'
import type { Connection } from './connection'
import type { RawReply } from './exchange'
import { Failure } from './failure'
import { fitLimit } from './fit-limit'
import { buildUpstreamHeaders, pickReplyHeaders, startTrace } from './headers'
import { getRequestFacts } from './request-facts'
import { type ReplyContent, readReply, replyLimit } from './reply-reading'
import { sendRequest } from './send-request'
import { buildUpstreamUrl, type QueryValues } from './upstream-url'
import * as refusals from '@/lib/words/refusals'

export type UpstreamCall = {
  params?: Record<string, string>
  query?: QueryValues
  /** Parsed by the contract; written as JSON. Undefined sends no body. */
  body?: unknown
  /** The service's `Idempotency-Key`. */
  idempotencyKey?: string
  /** Milliseconds until the whole reply must have been read; 10 s for a read, 20 s for a write. */
  deadline?: number
  /** Gives the call up. A write that was begun may have been done all the same. */
  signal?: AbortSignal
  /** Asked once the socket is open: false, and nothing is written. */
  confirm?: () => Promise<boolean>
  /** Asked in the moment before the first byte is written: false, and nothing is. */
  mayStart?: () => boolean
}

/** What the service answered, whatever the status: `headers` are those on the closed list alone. */
export type UpstreamReply = ReplyContent & { status: number; headers: Record<string, string> }

const readDeadline = 10_000
const writeDeadline = 20_000

async function readContent(raw: RawReply, connection: Connection): Promise<ReplyContent> {
  try {
    return await readReply(raw, (text) => connection.credential.redact(text))
  } catch (error) {
    // Of a refusal the status says enough: its words are a courtesy.
    if (raw.status >= 400) return { mediaType: null, json: undefined, text: '' }
    if (error instanceof Failure) error.evidence.upstream = { status: raw.status }
    throw error
  }
}

async function callOnce(connection: Connection, endpoint: Endpoint, call: UpstreamCall): Promise<UpstreamReply> {
  const url = buildUpstreamUrl(connection.baseUrl, endpoint, call.params ?? {}, call.query)
  const body = call.body === undefined ? undefined : JSON.stringify(call.body)
  const traceparent = (getRequestFacts() ?? startTrace()).traceparent
  const headers = buildUpstreamHeaders({
    hasBody: body !== undefined,
    traceparent,
    idempotencyKey: call.idempotencyKey,
  })
  const deadline = call.deadline ?? (endpoint.method === 'GET' ? readDeadline : writeDeadline)
  const raw = await sendRequest(connection, {
    url,
    method: endpoint.method,
    headers,
    body,
    deadline,
    limit: replyLimit,
    signal: call.signal,
    confirm: call.confirm,
    mayStart: call.mayStart,
    isUrgent: endpoint.id === 'cancelPayment',
    isGuarded: connection.isGuarded,
  })
  if (raw.status >= 300 && raw.status < 400) {
    throw new Failure('upstream-bad-reply', {
      detail: refusals.itAnsweredWithARedirect,
      written: true,
      upstream: { status: raw.status },
    })
  }
  return { ...(await readContent(raw, connection)), status: raw.status, headers: pickReplyHeaders(raw.headers) }
}

/**
 * Calls the service: the one place where a request to it is made. The request is built from the endpoint
 * and its parameters alone; a page size that the service refuses is made smaller. Any HTTP status is returned, save redirects, which are never followed.
 *
 * Throws Failure 'bad-request' (a parameter that would leave the template; nothing sent),
 * 'upstream-unreachable', 'upstream-timeout' or 'upstream-bad-reply'; evidence.written is false only if
 * surely no byte of the request went out, evidence.upstream.status is there if a reply had begun.
 */
export function callUpstream(
  connection: Connection,
  endpoint: Endpoint,
  call: UpstreamCall = {},
): Promise<UpstreamReply> {
  return fitLimit(connection, endpoint, call, (fitted) => callOnce(connection, endpoint, fitted))
}
