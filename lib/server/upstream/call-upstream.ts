import type { Endpoint } from '@/lib/api-contract/endpoint'
import { segment } from '@/lib/api-contract/path-segment'
import { AppError } from '../runtime/app-error'
import { getRequestContext } from '../runtime/request-context'
import { buildUpstreamHeaders, pickReplyHeaders, startTrace } from '../runtime/trace'
import type { Connection } from './connection'
import type { HttpReply } from './http-request'
import { decodeReply, type ReplyContent, MAX_REPLY_BYTES } from './reply'
import { sendRequest } from './send-request'
import * as refusals from '@/lib/words/refusals'

/** A query as parsed by the contract: absent values are left out. */
export type QueryValues = Record<string, string | number | boolean | undefined>

function readParameter(endpoint: Endpoint, name: string, params: Record<string, string>): string {
  const read = segment.safeParse(params[name])
  if (read.success && name in endpoint.params) return read.data
  const reason = read.error?.issues[0]?.message ?? 'is not known'
  throw new AppError('bad-request', { detail: refusals.fieldIs(name, reason), errors: { [name]: [reason] } })
}

/**
 * The address of a call: base address, the endpoint's template with each parameter checked and encoded
 * as one segment, whatever its deployment's ids look like, and the query. What the template says literally can be neither left nor extended: the
 * finished address is read back and compared. Throws AppError 'bad-request' for a parameter that does not
 * fit, before anything is sent.
 */
export function buildUpstreamUrl(
  baseUrl: URL,
  endpoint: Endpoint,
  params: Record<string, string>,
  query: QueryValues = {},
): URL {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(readParameter(endpoint, name, params)),
  )
  const expected = `${baseUrl.pathname.replace(/\/+$/u, '')}${path}`
  const url = new URL(`${baseUrl.origin}${expected}`)
  if (url.origin !== baseUrl.origin || url.pathname !== expected || url.search !== '' || url.hash !== '') {
    throw new AppError('bad-request', { detail: refusals.theAddressWouldLeaveItsTemplate })
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** Up to which page size a list goes; null: it takes no `limit` at all. */
type Fit = { largest: number | null; learnedAt: number; until: number }

declare global {
  /** By connection and list; on globalThis because Next loads this module once per graph. */
  var debitdeskLimits: Map<string, Fit> | undefined
}

/** Page sizes that are tried, largest first; then the size that the service chooses by itself. */
const sizes = [100, 50, 20] as const
const day = 24 * 60 * 60 * 1_000
/** So long nothing is tried again where every size was refused: it was not about the size then. */
const rest = 60_000

/** Statuses that say "not with these values". */
const refusedStatuses = [400, 413, 416, 422]

function withLimit(call: UpstreamCall, limit: number | null): UpstreamCall {
  const { limit: _, ...query } = call.query ?? {}
  return { ...call, query: limit === null ? query : { ...query, limit } }
}

function fitted(asked: number, { largest }: Fit): number | null {
  return largest === null ? null : Math.min(asked, largest)
}

/** Whether a refusal can only be about the size: else it may be the filter, the order or the offset. */
function isPlain({ query }: UpstreamCall): boolean {
  return [query?.filter, query?.orderby, query?.after].every((value) => value === undefined)
}

/**
 * Sends a read of a list with the page size it asks for, or the largest that the service takes: 100, 50, 20,
 * and none named. The interface allows up to 100 for two lists and names no query of GET /Payments. What was
 * found, and confirmed by a second refusal of the larger one, holds for a day, until a page of that size is refused. A call without `limit` is sent as it is.
 */
export async function negotiatePageSize(
  connection: Connection,
  { id }: Endpoint,
  call: UpstreamCall,
  send: (call: UpstreamCall) => Promise<UpstreamReply>,
): Promise<UpstreamReply> {
  const asked = call.query?.limit
  if (typeof asked !== 'number') return send(call)
  const fits = (globalThis.debitdeskLimits ??= new Map())
  const key = `${connection.connectionId} ${connection.baseUrl.href} ${id}`
  const now = Date.now()
  const learn = (largest: number | null, lives: number) =>
    fits.set(key, { largest, learnedAt: now, until: now + lives })
  const held = fits.get(key)
  const fit = held && held.until > now ? held : undefined
  const limit = fit ? fitted(asked, fit) : asked
  const first = await send(withLimit(call, limit))
  if (!refusedStatuses.includes(first.status)) {
    if (!fit && first.status === 200 && asked === sizes[0]) learn(asked, day)
    return first
  }
  if (limit === null || (fit && !(isPlain(call) && now - fit.learnedAt > rest))) return first
  for (const size of [...sizes.filter((smaller) => smaller < limit), null]) {
    const reply = await send(withLimit(call, size))
    if (refusedStatuses.includes(reply.status)) continue
    if (reply.status !== 200) return reply
    // A refusal that has passed was not about the size.
    const again = await send(withLimit(call, limit))
    if (again.status === 200) return again
    if (refusedStatuses.includes(again.status)) learn(size, day)
    return reply
  }
  if (isPlain(call)) learn(sizes[0], rest)
  return first
}

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

async function readContent(raw: HttpReply, connection: Connection): Promise<ReplyContent> {
  try {
    return await decodeReply(raw, (text) => connection.credential.redact(text))
  } catch (error) {
    // Of a refusal the status says enough: its words are a courtesy.
    if (raw.status >= 400) return { mediaType: null, json: undefined, text: '' }
    if (error instanceof AppError) error.evidence.upstream = { status: raw.status }
    throw error
  }
}

async function callOnce(connection: Connection, endpoint: Endpoint, call: UpstreamCall): Promise<UpstreamReply> {
  const url = buildUpstreamUrl(connection.baseUrl, endpoint, call.params ?? {}, call.query)
  const body = call.body === undefined ? undefined : JSON.stringify(call.body)
  const traceparent = (getRequestContext() ?? startTrace()).traceparent
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
    limit: MAX_REPLY_BYTES,
    signal: call.signal,
    confirm: call.confirm,
    mayStart: call.mayStart,
    isUrgent: endpoint.id === 'cancelPayment',
    isGuarded: connection.isGuarded,
  })
  if (raw.status >= 300 && raw.status < 400) {
    throw new AppError('upstream-bad-reply', {
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
 * Throws AppError 'bad-request' (a parameter that would leave the template; nothing sent),
 * 'upstream-unreachable', 'upstream-timeout' or 'upstream-bad-reply'; evidence.written is false only if
 * surely no byte of the request went out, evidence.upstream.status is there if a reply had begun.
 */
export function callUpstream(
  connection: Connection,
  endpoint: Endpoint,
  call: UpstreamCall = {},
): Promise<UpstreamReply> {
  return negotiatePageSize(connection, endpoint, call, (fitted) => callOnce(connection, endpoint, fitted))
}
