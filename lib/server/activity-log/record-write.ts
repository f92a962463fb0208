import { createHash } from 'node:crypto'
import type { ActivityOutcome } from '@/lib/domain/activity'
import type { EndpointId } from '@/lib/api-contract/addresses'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { parseIdentity } from '@/lib/domain/created-identity'
import { AppError, type ErrorCode } from '../runtime/app-error'
import { type ActivityEntry, recordActivity } from './append'

/** What each write is called in the log: what it is about, and the verb. The cancellation has its ledger. */
const actions: Partial<Record<EndpointId, readonly [kind: string, verb: string]>> = {
  createCustomer: ['customer', 'create'],
  updateCustomer: ['customer', 'update'],
  deleteCustomer: ['customer', 'delete'],
  createMerchant: ['merchant', 'create'],
  createAgreement: ['agreement', 'create'],
  deleteAgreement: ['agreement', 'delete'],
  subscribeWebhook: ['webhook', 'subscribe'],
  unsubscribeWebhook: ['webhook', 'unsubscribe'],
}

/** Surely not done: the service said no, or was not reached. */
const refusals: readonly ErrorCode[] = [
  'forbidden',
  'upstream-forbidden',
  'upstream-refused',
  'upstream-slow-down',
  'upstream-credential',
  'not-found',
  'conflict',
]

function judge(error: unknown): ActivityOutcome {
  if (!(error instanceof AppError)) return 'unknown'
  if (refusals.includes(error.code)) return 'refused'
  return error.evidence.written === false ? 'failed' : 'unknown'
}

/** An address may hold a secret in its path: its host says where it leads, its fingerprint which one it is. */
function describeAddress(address: string): Record<string, string> {
  const fingerprint = createHash('sha256').update(address).digest('hex').slice(0, 16)
  return { host: URL.canParse(address) ? new URL(address).host : 'none', fingerprint }
}

/** Of a body the names of its fields, not what they hold: the log is for ever, and people's data is not. */
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

function describeResult(result: PromiseSettledResult<Answered>): Record<string, unknown> {
  if (result.status === 'fulfilled') return { status: result.value.status, ...parseIdentity(result.value.json) }
  const error: unknown = result.reason
  if (!(error instanceof AppError)) return { code: 'internal' }
  const { detail, upstream, errors } = error.evidence
  return {
    code: error.code,
    detail,
    status: upstream?.status,
    service: upstream,
    fields: errors && Object.keys(errors),
  }
}

type Answered = { status: number; json: unknown }
type Written = { params: Record<string, string>; body: unknown; key: string | undefined }

/** What the log says of a write: what was asked, and what the service made of it. */
export function describeWrite(
  endpoint: Endpoint,
  { params, body, key }: Written,
  result: PromiseSettledResult<Answered>,
): Pick<ActivityEntry, 'action' | 'objectKind' | 'objectId' | 'outcome' | 'details'> {
  const [kind, verb] = actions[endpoint.id] ?? ['merchant', endpoint.id]
  const answer = describeResult(result)
  const [named] = Object.values(params)
  const { fingerprint, ...asked } = describeBody(body)
  return {
    action: `${kind}.${verb}`,
    objectKind: kind,
    objectId: [named, fingerprint, answer.id, answer.handle].find((one) => typeof one === 'string') ?? 'none',
    outcome: result.status === 'fulfilled' ? 'done' : judge(result.reason),
    details: { endpoint: endpoint.id, ...(key !== undefined && { key }), asked, answer },
  }
}

/**
 * Runs a write against the service and writes down that it was tried and what came of it, whatever that
 * was. Answers or throws as `run` does: a log that cannot be written to undoes nothing.
 */
export async function recordWrite<Reply extends Answered>(
  { connectionId, actor }: { connectionId: string; actor: string },
  endpoint: Endpoint,
  written: Written,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const [result] = await Promise.allSettled([run()])
  await recordActivity({ connectionId, actor, ...describeWrite(endpoint, written, result) })
  if (result.status === 'rejected') throw result.reason
  return result.value
}
