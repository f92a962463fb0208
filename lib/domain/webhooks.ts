import { isRecord } from '@/lib/api-contract/record-fields'

/**
 * What the desk's server answers about its webhook inbox. `valid`: the signature of Standard Webhooks is right
 * and fresh; `invalid`: it is wrong or missing though the secret is known; `stale`: it names another time, so it may be
 * a repetition; `not-checked`: the desk knows no signing secret. Invalid and stale ones are refused and counted; only
 * those that an earlier version kept are shown.
 */
export type InboxVerdict = 'valid' | 'invalid' | 'stale' | 'not-checked'

/**
 * One delivery as it arrived. `headers` are those of an allow-list; `body` is text of at most 20 KB, null where it was
 * sealed with a secret that the desk does not have any more.
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

/** Deliveries that were refused for their signature. `since` and `last` are ISO 8601, UTC; counted anew after a week. */
export type RefusedDeliveries = { count: number; since: string; last: string }

/** `address` is null until somebody has opened the inbox, and ends in `…` for those who may not manage webhooks; `messages` are the newest first. */
export type InboxView = {
  address: string | null
  hasSigningSecret: boolean
  /** Whether the signing secret cannot be opened, so that all deliveries are refused. */
  isLocked: boolean
  /** Null while none was refused. */
  refused: RefusedDeliveries | null
  messages: InboxMessage[]
  /** How many of the newest are kept, of those with a valid signature and of others. */
  kept: number
}

/** What a probe of a callback address found. `milliseconds` is the time until something answered. */
export type ProbeResult =
  | { kind: 'own' }
  | { kind: 'answered'; status: number; milliseconds: number }
  | { kind: 'hidden' }
  | { kind: 'failed'; why: 'name' | 'port' | 'timeout' | 'connection' | 'certificate' }

/** What a delivery speaks of, as far as it can be read; shown to people and used to find what to read again, never believed. */
export type EventInfo = {
  objectType: string | null
  eventType: string | null
  timeStamp: string | null
  id: string | null
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads objectType, eventType, timeStamp and data.id: the payload of one public deployment; each null where it is not so. */
export function parseEvent(value: unknown): EventInfo {
  const nothing: EventInfo = { objectType: null, eventType: null, timeStamp: null, id: null }
  if (typeof value !== 'object' || value === null) return nothing
  const event: { objectType?: unknown; eventType?: unknown; timeStamp?: unknown; data?: unknown } = value
  const { data } = event
  const subject: { id?: unknown } = typeof data === 'object' && data !== null ? data : {}
  return {
    objectType: readText(event.objectType),
    eventType: readText(event.eventType),
    timeStamp: readText(event.timeStamp),
    id: readText(subject.id),
  }
}

/** The signing secret in a reply to a subscription, whose shape is not shown; null where there is none. */
export function parseSigningSecret(reply: unknown): string | null {
  if (typeof reply !== 'object' || reply === null) return null
  const found = Object.entries(reply).find(([name]) => /^(?:signing|webhook)?_?secret$/iu.test(name))
  const secret: unknown = found?.[1]
  return typeof secret === 'string' && secret !== '' ? secret : null
}

/** One subscription as the desk reads it. `address` is exact: it is what unsubscribing must name. */
export type WebhookEntry = {
  address: string
  id: string | null
  createdAt: string | null
  /** What else the service said of it; null when that was nothing. */
  further: Record<string, unknown> | null
}

/** `unread` counts the entries in which no address was found. */
export type WebhookList = { entries: WebhookEntry[]; unread: number; isWhole: boolean }

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

function readEntry(value: unknown): WebhookEntry | null {
  if (typeof value === 'string') {
    return value.trim() === '' ? null : { address: value, id: null, createdAt: null, further: null }
  }
  if (!isRecord(value)) return null
  const addressKey = findKey(value, addressNames)
  const address = addressKey === undefined ? null : value[addressKey]
  if (typeof address !== 'string' || address.trim() === '') return null
  const idKey = findKey(value, ['id', 'webhookid'])
  const createdKey = findKey(value, ['createdat', 'created'])
  const read = (key: string | undefined) => {
    const held = key === undefined ? null : value[key]
    if (typeof held === 'number') return String(held)
    return typeof held === 'string' && held !== '' ? held : null
  }
  const known = [addressKey, idKey, createdKey]
  const others = Object.entries(value).filter(([key]) => !known.includes(key))
  return {
    address,
    id: read(idKey),
    createdAt: read(createdKey),
    further: others.length > 0 ? Object.fromEntries(others) : null,
  }
}

const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\//iu.test(value)

/** A record whose members are all addresses, or records that are named by one: `{ main: 'https://…' }`. */
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

/** The array in a reply: the reply itself, a member with a usual name, the only member that is one, or its members. */
function findList(reply: unknown): unknown[] | null {
  if (Array.isArray(reply)) return reply
  if (!isRecord(reply)) return null
  const named = findKey(reply, listNames)
  const held = named === undefined ? null : reply[named]
  if (Array.isArray(held)) return held
  if (isRecord(held)) return findList(held)
  const arrays = Object.values(reply).filter((value) => Array.isArray(value))
  return arrays.length === 1 && arrays[0] ? arrays[0] : listMembers(reply)
}

/**
 * Reads the reply of GET /Merchants/webhooks, whose shape is not shown: an array, a container or a record by name,
 * of strings or of objects. Null where no list is in it: that is not an empty list. Zod-free.
 */
export function parseWebhooks(reply: unknown): WebhookList | null {
  const list = findList(reply)
  if (list === null) {
    const one = readEntry(reply)
    return one && typeof reply !== 'string' ? { entries: [one], unread: 0, isWhole: true } : null
  }
  const entries = list.map(readEntry).filter((entry) => entry !== null)
  const hasMore =
    isRecord(reply) && Object.entries(reply).some(([key, value]) => /^hasmore$/iu.test(key) && value === true)
  return { entries, unread: list.length - entries.length, isWhole: !hasMore }
}
