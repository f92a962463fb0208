import type * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { type Endpoints, endpoints } from '@/lib/api-contract/endpoints'
import { segment } from '@/lib/api-contract/path-segment'
import { hasPermission } from '@/lib/api-contract/permission'
import { recordWrite } from '../activity-log/record-write'
import { retryOnRateLimit } from './retry'
import { getConnection } from './connection'
import { AppError } from '../runtime/app-error'
import { getUpstreamState, inForeground } from './upstream-state'
import { hideInbox } from '../webhooks/inbox'
import { recordFailure, toUpstreamError } from './upstream-errors'
import { makeUnsentTimeout } from './http-request'
import { limitReads } from '../runtime/limits'
import { parseParams, parsePart, readQueryValues } from '../http/parse-input'
import { addCreatedId, unwrapRecord } from './reply'
import type { Session } from '../auth/session'
import { callUpstream, type UpstreamCall } from './call-upstream'
import * as m from '@/lib/messages/m'

/** Every endpoint but the cancellation, which only the ledger may call (`cancellations/`). */
export type CallableEndpointId = Exclude<keyof Endpoints, 'cancelPayment'>

/** Untrusted input, parsed by `callEndpoint`. */
export type EndpointInput = {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  idempotencyKey?: string | undefined
  /** Aborts a read; a write goes on. */
  signal?: AbortSignal | undefined
  /** Whether a read answered 429 may be retried briefly (see retryOnRateLimit). */
  retry?: boolean | undefined
  /** `export`: the read is for a file, which people may make who may not browse. */
  permission?: 'export' | undefined
  /** Whether the call is a probe, whose failure is not recorded as the service's last one. */
  isProbe?: boolean | undefined
  /** Whether bulk cancellations need not yield to a read: nobody waits for it, or, as for a probe, only once in a while. */
  isBackground?: boolean | undefined
  /** Called right before a write's first byte; when it returns false, nothing is sent. */
  mayStart?: (() => boolean) | undefined
}

/** For a read, its wait for a turn included. */
const READ_TIMEOUT_MS = 10_000

type ReplyOf<Id extends CallableEndpointId> = z.output<Endpoints[Id]['reply']>

/**
 * For a read, the reply as parsed by the contract. For a write, `{ status, reply }`: the service's 2xx status (201 and
 * 200 differ for a subscription) and its reply, null when empty or unreadable. A `Location` supplies the id of a created
 * resource when the body has none.
 */
export type EndpointReply<Id extends CallableEndpointId> = Endpoints[Id]['method'] extends 'GET'
  ? ReplyOf<Id>
  : { status: number; reply: ReplyOf<Id> }

const isSuccess = (status: number | undefined) => status !== undefined && status >= 200 && status < 300

async function call(
  session: Session,
  endpoint: Endpoint,
  request: UpstreamCall,
  { retry, isProbe }: Pick<EndpointInput, 'retry' | 'isProbe'> = {},
): Promise<{ status: number; json: unknown }> {
  try {
    const connection = getConnection(session.scope.connectionId)
    const { budget } = getUpstreamState(connection)
    const reply = retry
      ? await retryOnRateLimit((deadline) => callUpstream(connection, endpoint, { ...request, deadline }), {
          budget,
          deadline: request.deadline ?? READ_TIMEOUT_MS,
          signal: request.signal,
        })
      : await callUpstream(connection, endpoint, request)
    const { status, json, headers } = reply
    if (isSuccess(status)) return { status, json: addCreatedId(endpoint, json, headers.location) }
    throw toUpstreamError(reply, endpoint)
  } catch (error) {
    if (error instanceof AppError && !isProbe && !request.signal?.aborted)
      recordFailure(session.scope.connectionId, error)
    const begun = error instanceof AppError ? error.evidence.upstream?.status : undefined
    // A write confirmed by a 2xx status is done, even when the rest of its reply was lost.
    if (endpoint.method !== 'GET' && begun !== undefined && isSuccess(begun)) return { status: begun, json: undefined }
    throw error
  }
}

/** Accepts ids that aren't UUIDs, as some deployments have; they only have to stay one path segment. */
function loosen(params: Endpoint['params']): Endpoint['params'] {
  return Object.fromEntries(Object.keys(params).map((name) => [name, segment]))
}

/** Parses a successful reply; null when empty. A single record may come wrapped or in a list of one. */
function parseEndpointReply(endpoint: Endpoint, json: unknown, params: UpstreamCall['params']): unknown {
  const isSingle = endpoint.method === 'GET' && Object.keys(endpoint.params).length > 0
  const unwrapped = isSingle ? unwrapRecord(json, endpoint, Object.values(params ?? {})[0] ?? '') : json
  // The API doesn't document how a missing resource is answered; an empty reply is one way.
  if (isSingle && unwrapped === null) throw new AppError('not-found', { written: true })
  const parsed = endpoint.reply.safeParse(unwrapped)
  if (parsed.success) return parsed.data ?? null
  const [issue] = parsed.error.issues
  const fault =
    issue && issue.path.length > 0
      ? m.refusals_fieldIs({ name: issue.path.join('.'), reason: describeIssue(issue) })
      : ''
  const detail = `${m.refusals_itIsNotWhatTheInterfaceDescribes()} ${fault}`.trim()
  throw new AppError('upstream-bad-reply', { detail, written: true })
}

/** Guarantee: `value` was parsed by the reply schema of endpoint `id`, and wrapped if that is a write. */
function asEndpointReply<Id extends CallableEndpointId>(_id: Id, value: unknown): EndpointReply<Id> {
  return value as EndpointReply<Id>
}

/**
 * Calls an endpoint on behalf of a user: checks the permission, parses the input strictly, sends the request and parses
 * the reply tolerantly. Throws AppError 'forbidden', 'bad-request' (errors per field), 'not-found', 'too-many-attempts'
 * (see limitReads) and the 'upstream-…' codes.
 */
export async function callEndpoint<Id extends CallableEndpointId>(
  session: Session,
  id: Id,
  input: EndpointInput = {},
): Promise<EndpointReply<Id>> {
  const endpoint: Endpoint = endpoints[id]
  if (endpoint.permission === 'cancel') throw new AppError('internal')
  const isRead = endpoint.method === 'GET'
  const needed = isRead ? (input.permission ?? endpoint.permission) : endpoint.permission
  if (!hasPermission(session.role, needed)) throw new AppError('forbidden')
  const request: UpstreamCall = {
    params: parseParams(loosen(endpoint.params), input.params ?? {}),
    query: readQueryValues(parsePart('query', endpoint.query, input.query ?? {})),
    body: parsePart('body', endpoint.body, input.body),
    idempotencyKey: input.idempotencyKey,
    signal: isRead ? input.signal : undefined,
    mayStart: input.mayStart,
  }
  if (isRead) {
    const began = performance.now()
    const read = () => {
      const deadline = Math.max(1, READ_TIMEOUT_MS - (performance.now() - began))
      return call(session, endpoint, { ...request, deadline }, input)
    }
    const run = input.isBackground ? read : () => inForeground(session.scope.connectionId, read)
    const waiting = { deadline: READ_TIMEOUT_MS, signal: request.signal }
    const { json } = await limitReads(session.userId, run, { ...waiting, giveUp: () => makeUnsentTimeout(waiting) })
    const reply = parseEndpointReply(endpoint, json, request.params)
    return asEndpointReply(id, id === 'listWebhooks' ? await hideInbox(session, reply) : reply)
  }
  const who = { connectionId: session.scope.connectionId, actor: session.email }
  const written = { params: request.params ?? {}, body: request.body, key: request.idempotencyKey }
  const { status, json } = await recordWrite(who, endpoint, written, () => call(session, endpoint, request))
  return asEndpointReply(id, { status, reply: parseEndpointReply(endpoint, json, request.params) })
}
