import type { Endpoint } from '@/lib/api-contract/endpoint'
import { segment } from '@/lib/api-contract/path-segment'
import { getInstruments } from '../metrics/instruments'
import { currentTraceparent, traceUpstreamCall } from '../tracing/spans'
import { AppError } from '../runtime/app-error'
import { getRequestContext } from '../runtime/request-context'
import { buildUpstreamHeaders, pickReplyHeaders, startTrace } from '../runtime/trace'
import type { Connection } from './connection'
import type { HttpReply } from './http-request'
import { decodeReply, type ReplyContent, MAX_REPLY_BYTES } from './reply'
import { sendRequest } from './send-request'
import { getUpstreamState } from './upstream-state'
import * as m from '@/lib/messages/m'

/** A query parsed by the contract; undefined values are omitted. */
export type QueryValues = Record<string, string | number | boolean | undefined>

export type UpstreamCall = {
  params?: Record<string, string>
  query?: QueryValues
  /** Parsed by the contract, sent as JSON; undefined for no body. */
  body?: unknown
  /** The service's `Idempotency-Key`. */
  idempotencyKey?: string
  /** Milliseconds for the whole exchange; by default 10 s for a read, 20 s for a write. */
  deadline?: number
  /** Aborts the call. A write that has begun may take effect nonetheless. */
  signal?: AbortSignal
  /** Called once the socket is open; if it resolves to false, nothing is written. */
  confirm?: () => Promise<boolean>
  /** Called right before the first byte is written; if it returns false, nothing is. */
  mayStart?: () => boolean
}

/** The service's reply of any status; `headers` only holds the allow-listed ones. */
export type UpstreamReply = ReplyContent & { status: number; headers: Record<string, string> }

function parseParameter(endpoint: Endpoint, name: string, params: Record<string, string>): string {
  const read = segment.safeParse(params[name])
  if (read.success && name in endpoint.params) return read.data
  const reason = read.error?.issues[0]?.message ?? m.fields_isUnknown()
  throw new AppError('bad-request', { detail: m.refusals_fieldIs({ name, reason }), errors: { [name]: [reason] } })
}

/**
 * The address of a call: base address, the endpoint's template with each parameter checked and encoded as one segment, and
 * the query. The finished address is compared with the expected one, so that no parameter can leave or extend the
 * template. Throws AppError 'bad-request' for an invalid parameter before anything is sent.
 */
export function buildUpstreamUrl(
  baseUrl: URL,
  endpoint: Endpoint,
  params: Record<string, string>,
  query: QueryValues = {},
): URL {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(parseParameter(endpoint, name, params)),
  )
  const expected = `${baseUrl.pathname.replace(/\/+$/u, '')}${path}`
  const url = new URL(`${baseUrl.origin}${expected}`)
  if (url.origin !== baseUrl.origin || url.pathname !== expected || url.search !== '' || url.hash !== '') {
    throw new AppError('bad-request', { detail: m.refusals_theAddressWouldLeaveItsTemplate() })
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

const READ_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 20_000

/** The largest page size a list accepts; null if it takes no `limit` at all. Times as of `performance.now()`. */
type LearnedLimit = { largest: number | null; learnedAt: number; until: number }
/** `triedAt`: when it was last asked without a `limit` for a status that seldom refuses one. */
type ListLimit = { learned?: LearnedLimit; triedAt?: number }

declare global {
  /** By connection and list; on globalThis because Next loads this module once per graph. */
  var debitdeskLimits: Map<string, ListLimit> | undefined
}

/** Page sizes to try, largest first; then none, which leaves the choice to the service. */
const PAGE_SIZES = [100, 50, 20] as const
const DAY_MS = 24 * 60 * 60 * 1_000
/** Cooldown when every page size was rejected: size was not the cause. */
const COOLDOWN_MS = 60_000

/** Statuses that may reject the page size. */
const refusedStatuses = [400, 413, 416, 422]

/** How long a list is taken to accept no page size after such a status as below, which may be about something else. */
const HOUR_MS = 60 * 60 * 1_000

/** Statuses with which some services reject a parameter they don't know, though mostly they mean something else. */
function mayRejectParameter(status: number): boolean {
  return status === 403 || status === 404 || status >= 500
}

function withLimit(call: UpstreamCall, limit: number | null): UpstreamCall {
  const { limit: _, ...query } = call.query ?? {}
  return { ...call, query: limit === null ? query : { ...query, limit } }
}

function clampLimit(requested: number, { largest }: LearnedLimit): number | null {
  return largest === null ? null : Math.min(requested, largest)
}

/** Whether only the size can be the cause of a refusal, rather than the filter, order or offset. */
function isPlain({ query }: UpstreamCall): boolean {
  return [query?.filter, query?.orderby, query?.after].every((value) => value === undefined)
}

/**
 * Reads a list with the requested page size or the largest one the service accepts: 100, 50, 20 or none. The API allows up
 * to 100 for two lists and documents no query for GET /Payments. A result that a second refusal of the larger size
 * confirms is used for a day, or until a page of that size is refused. A plain list that answers 403, 404 or 5xx before any
 * size was accepted is asked once more without one, within the retry budget and once a minute, and without one for an hour
 * where that alone is answered. All tries have one deadline. Calls without `limit` are sent unchanged.
 */
export async function negotiatePageSize(
  connection: Connection,
  { id }: Endpoint,
  call: UpstreamCall,
  send: (call: UpstreamCall) => Promise<UpstreamReply>,
): Promise<UpstreamReply> {
  const requested = call.query?.limit
  if (typeof requested !== 'number') return send(call)
  const limits = (globalThis.debitdeskLimits ??= new Map())
  const key = `${connection.connectionId} ${connection.baseUrl.href} ${id}`
  const began = performance.now()
  const known: ListLimit = limits.get(key) ?? {}
  limits.set(key, known)
  const learn = (largest: number | null, lifetimeMs: number) => {
    known.learned = { largest, learnedAt: began, until: began + lifetimeMs }
  }
  const readLearned = () => (known.learned && known.learned.until > began ? known.learned : undefined)
  const learned = readLearned()
  const limit = learned ? clampLimit(requested, learned) : requested
  const { deadline = READ_TIMEOUT_MS } = call
  const ask = (size: number | null) =>
    send({ ...withLimit(call, size), deadline: Math.max(1, deadline - (performance.now() - began)) })
  const first = await ask(limit)
  if (!refusedStatuses.includes(first.status)) {
    if (!learned && first.status === 200 && requested === PAGE_SIZES[0]) learn(requested, DAY_MS)
    const isTried = known.triedAt !== undefined && began - known.triedAt < COOLDOWN_MS
    if (readLearned() || isTried || !isPlain(call) || !mayRejectParameter(first.status)) return first
    // Before asking, so that of many readers in an outage one asks.
    known.triedAt = began
    const plain = getUpstreamState(connection).budget.take() ? await ask(null).catch(() => null) : null
    if (plain?.status !== 200) return first
    const again = await ask(limit).catch(() => null)
    // There may have been no time left for it: asked for no size meanwhile, the list is at least shown.
    if (again === null) learn(null, COOLDOWN_MS)
    if (again?.status === first.status) learn(null, HOUR_MS)
    return again?.status === 200 ? again : plain
  }
  if (limit === null || (learned && !(isPlain(call) && began - learned.learnedAt > COOLDOWN_MS))) return first
  for (const size of [...PAGE_SIZES.filter((smaller) => smaller < limit), null]) {
    const reply = await ask(size)
    if (refusedStatuses.includes(reply.status)) continue
    if (reply.status !== 200) return reply
    // If the original size now works, the refusal was temporary and not about the size. There may be no time left for it.
    const again = await ask(limit).catch(() => null)
    if (again?.status === 200) return again
    if (again && refusedStatuses.includes(again.status)) learn(size, DAY_MS)
    return reply
  }
  if (isPlain(call)) learn(PAGE_SIZES[0], COOLDOWN_MS)
  return first
}

async function readContent(raw: HttpReply, connection: Connection): Promise<ReplyContent> {
  try {
    return await decodeReply(raw, (text) => connection.credential.redact(text))
  } catch (error) {
    // An unreadable refusal is still a refusal: its status suffices.
    if (raw.status >= 400) return { mediaType: null, json: undefined, text: '' }
    if (error instanceof AppError) error.evidence.upstream = { status: raw.status }
    throw error
  }
}

/**
 * The outcome of a call as a label: a class of status, 429, a code of ours, or `not-sent` for what the desk kept back or gave up
 * itself. A connection or a credential that failed has its code, although nothing was sent; so has a credential that is refused.
 */
function labelOutcome(settled: { status: number } | { error: unknown }): string {
  if ('status' in settled) {
    if (settled.status === 401 || settled.status === 407) return 'upstream-credential'
    return settled.status === 429 ? '429' : `${Math.floor(settled.status / 100)}xx`
  }
  const { error } = settled
  if (!(error instanceof AppError)) return 'internal'
  const { written, isHeldBack = !error.code.startsWith('upstream-') } = error.evidence
  return written === false && isHeldBack ? 'not-sent' : error.code
}

/** Calls once, counts it and traces it. */
function callCounted(connection: Connection, endpoint: Endpoint, call: UpstreamCall): Promise<UpstreamReply> {
  const { upstreamRequests, upstreamDuration } = getInstruments()
  return traceUpstreamCall(endpoint, getRequestContext()?.traceparent, async (span) => {
    const count = (outcome: string) => {
      upstreamRequests.inc({ endpoint: endpoint.id, outcome })
      span.setAttribute('debitdesk.outcome', outcome)
    }
    const end = upstreamDuration.startTimer({ endpoint: endpoint.id })
    try {
      const reply = await callOnce(connection, endpoint, call)
      count(labelOutcome(reply))
      return reply
    } catch (error) {
      count(labelOutcome({ error }))
      throw error
    } finally {
      end()
    }
  })
}

async function callOnce(connection: Connection, endpoint: Endpoint, call: UpstreamCall): Promise<UpstreamReply> {
  const url = buildUpstreamUrl(connection.baseUrl, endpoint, call.params ?? {}, call.query)
  const body = call.body === undefined ? undefined : JSON.stringify(call.body)
  const traceparent = currentTraceparent() ?? (getRequestContext() ?? startTrace()).traceparent
  const headers = buildUpstreamHeaders({
    hasBody: body !== undefined,
    traceparent,
    idempotencyKey: call.idempotencyKey,
  })
  const deadline = call.deadline ?? (endpoint.method === 'GET' ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS)
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
      detail: m.refusals_itAnsweredWithARedirect(),
      written: true,
      upstream: { status: raw.status },
    })
  }
  return { ...(await readContent(raw, connection)), status: raw.status, headers: pickReplyHeaders(raw.headers) }
}

/**
 * Calls the service; all requests to it are made here, built from the endpoint and its parameters alone. Rejected page
 * sizes are reduced. Returns any HTTP status except redirects, which are never followed.
 *
 * Throws AppError 'bad-request' (a parameter would leave the template; nothing sent), 'upstream-unreachable',
 * 'upstream-timeout' or 'upstream-bad-reply'. evidence.written is false only if certainly nothing of the request was
 * sent; evidence.upstream.status is set if a reply had begun.
 */
export function callUpstream(
  connection: Connection,
  endpoint: Endpoint,
  call: UpstreamCall = {},
): Promise<UpstreamReply> {
  return negotiatePageSize(connection, endpoint, call, (fitted) => callCounted(connection, endpoint, fitted))
}
