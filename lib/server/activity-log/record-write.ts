import { createHash } from 'node:crypto'
import type { ActivityOutcome } from '@/lib/domain/activity/activity'
import type { EndpointId } from '@/lib/api-contract/addresses'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { parseIdentity } from '@/lib/domain/created-identity'
import { joinMessages } from '@/lib/domain/text/join-messages'
import { listFields } from '../http/field-errors'
import { toPlainText } from '../http/untrusted-text'
import { AppError, type ErrorCode } from '../runtime/app-error'
import { type ActivityEntry, recordActivity } from './append'

/** Object kind and verb per endpoint. Cancellations are recorded by the ledger. */
const ACTIONS: Partial<Record<EndpointId, readonly [kind: string, verb: string]>> = {
  createCustomer: ['customer', 'create'],
  updateCustomer: ['customer', 'update'],
  deleteCustomer: ['customer', 'delete'],
  createMerchant: ['merchant', 'create'],
  createAgreement: ['agreement', 'create'],
  deleteAgreement: ['agreement', 'delete'],
  subscribeWebhook: ['webhook', 'subscribe'],
  unsubscribeWebhook: ['webhook', 'unsubscribe'],
}

/** Certainly not done: rejected, or not reached. */
const REFUSED_CODES: readonly ErrorCode[] = [
  'forbidden',
  'upstream-forbidden',
  'upstream-refused',
  'upstream-slow-down',
  'upstream-credential',
  'not-found',
  'conflict',
]

function toOutcome(error: unknown): ActivityOutcome {
  if (!(error instanceof AppError)) return 'unknown'
  if (REFUSED_CODES.includes(error.code)) return 'refused'
  return error.evidence.written === false ? 'failed' : 'unknown'
}

/** A URL may have a secret in its path, so only its host and a fingerprint are logged. */
function describeAddress(address: string): Record<string, string> {
  const fingerprint = createHash('sha256').update(address).digest('hex').slice(0, 16)
  return { host: URL.canParse(address) ? new URL(address).host : 'none', fingerprint }
}

/** Names of the body's fields, not their values: the log is permanent, and personal data must not be. */
function describeBody(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  const { webhookUrl, scheme, test }: { webhookUrl?: unknown; scheme?: unknown; test?: unknown } = body
  return {
    fields: Object.keys(body),
    ...(typeof webhookUrl === 'string' && describeAddress(webhookUrl)),
    ...(typeof scheme === 'string' && { scheme }),
    ...(typeof test === 'boolean' && { test }),
  }
}

/** What came back; of a webhook's write no text of the service, which may quote the address in any spelling. */
function describeResult(
  result: PromiseSettledResult<WriteReply>,
  endpoint: Endpoint,
  isWebhook: boolean,
): Record<string, unknown> {
  if (result.status === 'fulfilled') {
    return { status: result.value.status, ...(!isWebhook && parseIdentity(result.value.json)) }
  }
  const error: unknown = result.reason
  if (!(error instanceof AppError)) return { code: 'internal' }
  const { detail, upstream, errors } = error.evidence
  const { '': others, ...named } = errors ?? {}
  // A list of errors may have a person's name or address where a field's is meant.
  const fields = errors && Object.keys(named).filter((name) => !/[\s@]/u.test(name))
  const answer = { code: error.code, status: upstream?.status }
  if (isWebhook) {
    // Other names, and what follows the first step of a path, are words of the service.
    const known = listFields(endpoint).filter((field) => fields?.some((path) => path.split('.')[0] === field))
    return { ...answer, fields: fields && known }
  }
  // A title such as "One or more validation errors occurred." says nothing: the messages are the reason.
  const reason = upstream?.detail === undefined ? toPlainText(others && joinMessages(others)) : undefined
  return { ...answer, detail: reason ?? detail, service: upstream, fields }
}

type WriteReply = { status: number; json: unknown }
type WriteRequest = { params: Record<string, string>; body: unknown; key: string | undefined }

/** The entry for a write: what was requested and what the upstream API replied. */
export function describeWrite(
  endpoint: Endpoint,
  { params, body, key }: WriteRequest,
  result: PromiseSettledResult<WriteReply>,
): Pick<ActivityEntry, 'action' | 'objectKind' | 'objectId' | 'outcome' | 'details'> {
  const [kind, verb] = ACTIONS[endpoint.id] ?? ['merchant', endpoint.id]
  const reply = describeResult(result, endpoint, kind === 'webhook')
  const [objectParam] = Object.values(params)
  const { fingerprint, ...sent } = describeBody(body)
  return {
    action: `${kind}.${verb}`,
    objectKind: kind,
    objectId: [objectParam, fingerprint, reply.id, reply.handle].find((one) => typeof one === 'string') ?? 'none',
    outcome: result.status === 'fulfilled' ? 'done' : toOutcome(result.reason),
    details: { endpoint: endpoint.id, ...(key !== undefined && { key }), asked: sent, answer: reply },
  }
}

/**
 * Runs an upstream write and records its outcome. Returns or throws as `run` does, even if the log cannot be written.
 */
export async function recordWrite<Reply extends WriteReply>(
  { connectionId, actor }: { connectionId: string; actor: string },
  endpoint: Endpoint,
  request: WriteRequest,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const [result] = await Promise.allSettled([run()])
  await recordActivity({ connectionId, actor, ...describeWrite(endpoint, request, result) })
  if (result.status === 'rejected') throw result.reason
  return result.value
}
