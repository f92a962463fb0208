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
import { limitReads } from '../runtime/limits'
import { parseParams, parsePart, readQueryValues } from '../http/parse-input'
import { nameCreated, unwrapRecord } from './reply'
import type { Session } from '../auth/session'
import { callUpstream, type UpstreamCall } from './call-upstream'
import * as refusals from '@/lib/words/refusals'

/** Every endpoint but the cancellation: money moves through the ledger alone (`cancellations/`). */
export type CallableEndpointId = Exclude<keyof Endpoints, 'cancelPayment'>

/** What is asked: all of it from outside, and parsed here. */
export type EndpointInput = {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
  idempotencyKey?: string | undefined
  /** Gives a read up when nobody waits for it any more; a write goes on. */
  signal?: AbortSignal | undefined
  /** Whether a read that meets a 429 may wait a little and ask again (see retryOnRateLimit). */
  isPatient?: boolean | undefined
  /** Whether a failure of the service may be no more than an answer to odd words, and is not kept as its latest trouble. */
  isTrial?: boolean | undefined
  /** Asked in the moment before a write's first byte: false, and nothing is sent. */
  mayStart?: (() => boolean) | undefined
}

const readDeadline = 10_000

type ReplyOf<Id extends CallableEndpointId> = z.output<Endpoints[Id]['reply']>

/**
 * Of a read, the reply as the contract reads it. Of a write, `{ status, reply }`: the service's 2xx status
 * (201 and 200 differ for a subscription) and what it said, null when that was nothing or unreadable; where it said
 * no more of what it created than a Location, the id in that.
 */
export type EndpointReply<Id extends CallableEndpointId> = Endpoints[Id]['method'] extends 'GET'
  ? ReplyOf<Id>
  : { status: number; reply: ReplyOf<Id> }

const isSuccess = (status: number | undefined) => status !== undefined && status >= 200 && status < 300

async function call(
  session: Session,
  endpoint: Endpoint,
  request: UpstreamCall,
  { isPatient, isTrial }: Pick<EndpointInput, 'isPatient' | 'isTrial'> = {},
): Promise<{ status: number; json: unknown }> {
  try {
    const connection = getConnection(session.scope.connectionId)
    const { budget } = getUpstreamState(connection)
    const reply = isPatient
      ? await retryOnRateLimit((deadline) => callUpstream(connection, endpoint, { ...request, deadline }), {
          budget,
          deadline: readDeadline,
          signal: request.signal,
        })
      : await callUpstream(connection, endpoint, request)
    const { status, json, headers } = reply
    if (isSuccess(status)) return { status, json: nameCreated(endpoint, json, headers.location) }
    throw toUpstreamError(reply, endpoint)
  } catch (error) {
    if (error instanceof AppError && !isTrial && !request.signal?.aborted)
      recordFailure(session.scope.connectionId, error)
    const begun = error instanceof AppError ? error.evidence.upstream?.status : undefined
    // A write that the service confirmed is done, even when the rest of its reply was lost on the way.
    if (endpoint.method !== 'GET' && begun !== undefined && isSuccess(begun)) return { status: begun, json: undefined }
    throw error
  }
}

/** Ids are documented as UUIDs, but some deployments have others: all that matters here is that it stays in its place. */
function loosen(params: Endpoint['params']): Endpoint['params'] {
  return Object.fromEntries(Object.keys(params).map((name) => [name, segment]))
}

/** What a success holds; null for nothing. One record that was asked for may come wrapped, or in a list of one. */
function parseEndpointReply(endpoint: Endpoint, json: unknown): unknown {
  const isOne = endpoint.method === 'GET' && Object.keys(endpoint.params).length > 0
  const held = isOne ? unwrapRecord(json, endpoint.reply) : json
  // The interface does not show how a missing resource is answered: with nothing is one way.
  if (isOne && held === null) throw new AppError('not-found', { written: true })
  const read = endpoint.reply.safeParse(held)
  if (read.success) return read.data ?? null
  const [issue] = read.error.issues
  const fault = issue && issue.path.length > 0 ? refusals.fieldIs(issue.path.join('.'), describeIssue(issue)) : ''
  const detail = `${refusals.itIsNotWhatTheInterfaceDescribes} ${fault}`.trim()
  throw new AppError('upstream-bad-reply', { detail, written: true })
}

/** Guarantee: `value` was read by the reply schema of endpoint `id`, and wrapped if that is a write. */
function asEndpointReply<Id extends CallableEndpointId>(_id: Id, value: unknown): EndpointReply<Id> {
  return value as EndpointReply<Id>
}

/**
 * Does what a person asks of the service: permission, strict parsing of what is sent, the call, tolerant
 * reading of what comes. Throws Failure: 'forbidden', 'bad-request' (errors per field), 'not-found',
 * 'too-many-attempts' (see limitReads) and the 'upstream-…' codes.
 */
export async function callEndpoint<Id extends CallableEndpointId>(
  session: Session,
  id: Id,
  input: EndpointInput = {},
): Promise<EndpointReply<Id>> {
  const endpoint: Endpoint = endpoints[id]
  if (endpoint.permission === 'cancel') throw new AppError('internal')
  if (!hasPermission(session.role, endpoint.permission)) throw new AppError('forbidden')
  const isRead = endpoint.method === 'GET'
  const request: UpstreamCall = {
    params: parseParams(loosen(endpoint.params), input.params ?? {}),
    query: readQueryValues(parsePart('query', endpoint.query, input.query ?? {})),
    body: parsePart('body', endpoint.body, input.body),
    idempotencyKey: input.idempotencyKey,
    signal: isRead ? input.signal : undefined,
    mayStart: input.mayStart,
  }
  if (isRead) {
    const read = () => call(session, endpoint, request, input)
    const { json } = await limitReads(session.userId, () => inForeground(session.scope.connectionId, read))
    const reply = parseEndpointReply(endpoint, json)
    return asEndpointReply(id, id === 'listWebhooks' ? await hideInbox(session, reply) : reply)
  }
  const who = { connectionId: session.scope.connectionId, actor: session.email }
  const written = { params: request.params ?? {}, body: request.body, key: request.idempotencyKey }
  const { status, json } = await recordWrite(who, endpoint, written, () => call(session, endpoint, request))
  return asEndpointReply(id, { status, reply: parseEndpointReply(endpoint, json) })
}
