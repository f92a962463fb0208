import { isRecord, normalizeFieldNames } from '@/lib/api-contract/record-fields'
import { toText } from './created-identity'
import { parseShownTimestamp } from './dates/date'

/**
 * The check of a delivery's Standard Webhooks signature. `valid`: correct and recent; `invalid`: wrong or missing
 * although the secret is known; `stale`: its timestamp is too far off, so it may be a replay; `not-checked`: the desk
 * knows no signing secret, or none that it relies on. Invalid and stale deliveries are refused and counted; only those stored by an earlier
 * version are shown.
 */
export type InboxVerdict = 'valid' | 'invalid' | 'stale' | 'not-checked'

/**
 * A delivery as received. `headers` are those on an allow-list; `body` has at most 20 KB, and is null when it was
 * encrypted with a secret that the desk no longer has.
 */
export type InboxMessage = {
  sequence: number
  /** ISO 8601, UTC. */
  receivedAt: string
  verdict: InboxVerdict
  headers: Record<string, string>
  body: string | null
  times: number
}

/** Deliveries refused for their signature. `since` and `last` are ISO 8601, UTC; the count restarts after a week. */
export type RefusedDeliveries = { count: number; since: string; last: string }

/**
 * What is known of the signing secret. `unproven`: it came with the subscription, and no delivery has verified under it,
 * so none is refused for it; `proven`: one did, or an admin entered it; `locked`: it cannot be decrypted, so that all
 * deliveries are refused.
 */
export type SigningSecretState = 'none' | 'unproven' | 'proven' | 'locked'

/** `address` is null until the inbox is first opened, and ends in `…` for users who may not manage webhooks. Newest messages first. */
export type InboxView = {
  address: string | null
  signingSecret: SigningSecretState
  /** Null if none was refused. */
  refused: RefusedDeliveries | null
  messages: InboxMessage[]
  /** Whether those are all that are stored. */
  isWhole: boolean
  /** How many of the newest messages are stored at most, separately with and without a valid signature. */
  kept: number
}

/** A delivery that named a payment. `eventType` is what the sender called it, such as `cancelled`; `receivedAt` ISO 8601, UTC. */
export type PaymentEvent = Pick<InboxMessage, 'sequence' | 'receivedAt' | 'verdict' | 'times'> & {
  eventType: string | null
}

/** Reply of GET /api/desk/inbox/events: the newest 50, newest first. `isWhole`: there are no older ones. */
export type PaymentEvents = { events: PaymentEvent[]; isWhole: boolean }

/** The result of probing a callback address. `milliseconds` is the response time. */
export type ProbeResult =
  | { kind: 'own' }
  | { kind: 'answered'; status: number; milliseconds: number }
  | { kind: 'hidden' }
  | { kind: 'failed'; why: 'name' | 'port' | 'timeout' | 'connection' | 'certificate' }

/** The subject of a delivery. Shown, and used to decide what to read again, but never trusted. */
export type EventInfo = {
  objectType: string | null
  eventType: string | null
  timeStamp: string | null
  id: string | null
  /** The record's reference, else its handle. */
  reference: string | null
}

type EventFields = { objectType?: unknown; eventType?: unknown; timeStamp?: unknown; data?: unknown; type?: unknown }

/** A type as Standard Webhooks recommends it, such as `payment.cancelled`. */
const dottedType = /^(payment|customer|mandate|agreement)\.(.+)$/isu

/**
 * Extracts objectType, eventType, timeStamp, data.id and data.reference, as one public deployment sends them, with names in any letter
 * case, as text or numbers; each null if missing. Without objectType, a `type` such as `payment.cancelled` says what it
 * and eventType would.
 */
export function parseEvent(value: unknown): EventInfo {
  const event: EventFields = isRecord(value)
    ? normalizeFieldNames(value, ['objectType', 'eventType', 'timeStamp', 'data', 'type'])
    : {}
  const subject: { id?: unknown; reference?: unknown; handle?: unknown } = isRecord(event.data)
    ? normalizeFieldNames(event.data, ['id', 'reference', 'handle'])
    : {}
  const objectType = toText(event.objectType)
  const [, typed = null, happened = null] = objectType === null ? (dottedType.exec(toText(event.type) ?? '') ?? []) : []
  return {
    objectType: objectType ?? typed,
    eventType: toText(event.eventType) ?? happened,
    timeStamp: toText(event.timeStamp),
    id: toText(subject.id),
    reference: toText(subject.reference) ?? toText(subject.handle),
  }
}

/** What may be the signing secret in the reply to a subscription, whose shape the interface does not show; null if there is none. */
export function parseSigningSecret(reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null) return null
  const found = Object.entries(reply).find(([name]) => /^(?:signing|webhook)?_?secret$/iu.test(name))
  const secret: unknown = found?.[1]
  return typeof secret === 'string' && secret !== '' ? secret : null
}

/** A subscription. `address` is exactly as sent, because unsubscribing must name it. */
export type WebhookEntry = {
  address: string
  id: string | null
  createdAt: string | null
  /** Since when deliveries to it fail; null also where the service doesn't say. */
  failingSince: string | null
  /** The service delivers nothing to it until it is subscribed again. `because` is the service's word, such as `failing`. */
  disabled: { at: string; because: string | null } | null
  /** Its other members; null if there are none. */
  further: Record<string, unknown> | null
}

/** `unread` counts the entries without a recognizable address; `isWhole` unless the reply says that there are more. */
export type WebhookList = { entries: WebhookEntry[]; unread: number; isWhole: boolean }

/** Whether an address that is not among the entries is not subscribed. */
export const namesAll = ({ unread, isWhole }: WebhookList) => isWhole && unread === 0

/** The listed addresses that lead to the inbox at `address`, also as the service spells it or from before the desk moved. */
export function findInboxAddresses({ entries }: WebhookList, address: string): string[] {
  const secret = address.slice(address.lastIndexOf('/') + 1)
  return entries.map((entry) => entry.address).filter((listed) => listed.includes(secret))
}

const addressNames = ['webhookurl', 'url', 'address', 'callbackurl', 'callback', 'callbackaddress', 'endpoint', 'uri']
const listNames = ['results', 'webhooks', 'subscriptions', 'items', 'data', 'value', 'values']

function findKey(record: Record<string, unknown>, names: readonly string[]): string | undefined {
  const keys = Object.keys(record)
  for (const name of names) {
    const found = keys.find((key) => key.toLowerCase() === name)
    if (found !== undefined) return found
  }
  return undefined
}

function parseEntry(value: unknown): WebhookEntry | null {
  if (typeof value === 'string') {
    if (value.trim() === '') return null
    return { address: value, id: null, createdAt: null, failingSince: null, disabled: null, further: null }
  }
  if (!isRecord(value)) return null
  const addressKey = findKey(value, addressNames)
  const address = addressKey === undefined ? null : value[addressKey]
  if (typeof address !== 'string' || address.trim() === '') return null
  const idKey = findKey(value, ['id', 'webhookid'])
  const createdKey = findKey(value, ['createdat', 'created'])
  const failingKey = findKey(value, ['failingsince'])
  const disabledKey = findKey(value, ['disabledat'])
  const becauseKey = findKey(value, ['disabledbecause'])
  const textOf = (key: string | undefined) => (key === undefined ? null : toText(value[key]))
  // Some services write a default where there is no date.
  const dateOf = (key: string | undefined) => {
    const text = textOf(key)
    return Number.isNaN(parseShownTimestamp(text)) ? null : text
  }
  const failingSince = dateOf(failingKey)
  const disabledAt = dateOf(disabledKey)
  const saidBecause = becauseKey === undefined ? null : value[becauseKey]
  const because = typeof saidBecause === 'string' && saidBecause.trim() !== '' ? saidBecause : null
  const known = [addressKey, idKey, createdKey]
  if (failingSince !== null) known.push(failingKey)
  if (disabledAt !== null) known.push(disabledKey)
  if (disabledAt !== null && (because !== null || saidBecause === null)) known.push(becauseKey)
  const others = Object.entries(value).filter(([key]) => !known.includes(key))
  return {
    address,
    id: textOf(idKey),
    createdAt: textOf(createdKey),
    failingSince,
    disabled: disabledAt === null ? null : { at: disabledAt, because },
    further: others.length > 0 ? Object.fromEntries(others) : null,
  }
}

const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\//iu.test(value)

/** The entries of an object whose members are all addresses (`{ main: 'https://…' }`) or are all keyed by one. */
function listMembers(record: Record<string, unknown>): unknown[] | null {
  const members = Object.entries(record)
  if (members.length === 0 || findKey(record, addressNames) !== undefined) return null
  if (members.every(([, held]) => isAddress(held)))
    return members.map(([name, held]) => ({ webhookUrl: held, ...(/^\d+$/u.test(name) ? {} : { name }) }))
  if (
    members.every(([name, held]) => isAddress(name) && (isRecord(held) || held === null || typeof held === 'boolean'))
  )
    return members.map(([name, held]) => ({ webhookUrl: name, ...(isRecord(held) ? held : {}) }))
  return null
}

/** The list in a reply: the reply itself, a member with a usual name, its only array, or its members. */
function findList(reply: unknown): unknown[] | null {
  if (Array.isArray(reply)) return reply
  if (!isRecord(reply)) return null
  const named = findKey(reply, listNames)
  const member = named === undefined ? null : reply[named]
  if (Array.isArray(member)) return member
  if (isRecord(member)) return findList(member)
  const arrays = Object.values(reply).filter((value) => Array.isArray(value))
  return arrays.length === 1 && arrays[0] ? arrays[0] : listMembers(reply)
}

/** Whether a container, or one in it, says that its list goes on. */
function hasMore(reply: unknown): boolean {
  if (!isRecord(reply)) return false
  return Object.entries(reply).some(([key, held]) => (/^hasmore$/iu.test(key) ? held === true : hasMore(held)))
}

/**
 * Parses the reply of GET /Merchants/webhooks, whose shape the interface does not show: an array, a container or an
 * object keyed by name, of strings or objects. Null when it contains no list, which is not the same as an empty list.
 * Zod-free.
 */
export function parseWebhooks(reply: unknown): WebhookList | null {
  const list = findList(reply)
  if (list === null) {
    const one = parseEntry(reply)
    return one && typeof reply !== 'string' ? { entries: [one], unread: 0, isWhole: true } : null
  }
  const entries = list.map(parseEntry).filter((entry) => entry !== null)
  return { entries, unread: list.length - entries.length, isWhole: !hasMore(reply) }
}
