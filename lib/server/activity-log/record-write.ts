import { createHash } from 'node:crypto'
import type { ActivityOutcome } from '@/lib/domain/activity'
import type { EndpointId } from '@/lib/api-contract/addresses'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { parseIdentity } from '@/lib/domain/created-identity'
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

/** Shorter parts of an address are no secrets, and replacing them would mangle ordinary words. */
const MIN_SECRET_LENGTH = 6

/** What of a sent address may be a secret, in the spellings of a service that quotes it: the longest first. */
function listSecrets(body: unknown): string[] {
  const { webhookUrl: address }: { webhookUrl?: unknown } = typeof body === 'object' && body !== null ? body : {}
  if (typeof address !== 'string') return []
  const { href = address, pathname = '', searchParams = null } = URL.canParse(address) ? new URL(address) : {}
  const last = pathname.split('/').findLast((segment) => segment !== '') ?? ''
  const spelled = [address, href, pathname, last, ...(searchParams?.values() ?? [])].flatMap((part) => [
    part,
    encodeURIComponent(part.toWellFormed()),
  ])
  return spelled.filter(({ length }) => length >= MIN_SECRET_LENGTH).toSorted((one, other) => other.length - one.length)
}

/** Replaces secrets in a text of the service, which may have been cut off (`toPlainText`) within one. */
function hideSecrets(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  if (!clean.endsWith('…')) return clean
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= MIN_SECRET_LENGTH; length -= 1)
      if (clean.endsWith(`${secret.slice(0, length)}…`)) return `${clean.slice(0, -length - 1)}…`
  return clean
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

/** What came back, without `secrets` where the service quotes them. */
function describeResult(result: PromiseSettledResult<WriteReply>, secrets: readonly string[]): Record<string, unknown> {
  const hide = <Text>(text: Text) => (typeof text === 'string' ? hideSecrets(text, secrets) : text)
  const hideIn = (members: object | undefined) =>
    members && Object.fromEntries(Object.entries(members).map(([name, member]) => [name, hide(member)]))
  if (result.status === 'fulfilled') {
    return { status: result.value.status, ...hideIn(parseIdentity(result.value.json)) }
  }
  const error: unknown = result.reason
  if (!(error instanceof AppError)) return { code: 'internal' }
  const { detail, upstream, errors } = error.evidence
  return {
    code: error.code,
    detail: hide(detail),
    status: upstream?.status,
    service: hideIn(upstream),
    fields: errors && Object.keys(errors).map(hide),
  }
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
  const reply = describeResult(result, listSecrets(body))
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
