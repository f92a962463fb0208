import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { ActivityOutcome } from '@/lib/domain/activity'
import { describeError, log } from '../runtime/log'
import { getRequestContext, type RequestContext } from '../runtime/request-context'
import { activity, connections, defaultConnectionId, memberships, users } from '../store/schema'
import { genesisHash, hashEntry, type Json } from './hash-chain'

const longestText = 2_000
const mostMembers = 100
const mostLevels = 8

/** A text as the log can hold it: well-formed, without NUL (which jsonb refuses), at most `most` UTF-16 code units. */
export function boundText(text: string, most = longestText): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text
  return cut.replaceAll('\0', '\u{FFFD}').toWellFormed()
}

/**
 * Facts as the log can hold them, whatever came from outside: texts bounded and well-formed, at most 100
 * members a level and 8 levels, no number that JSON cannot say. What is undefined is left out. Line breaks
 * and control characters stay: JSON escapes them, and whoever shows them must.
 */
export function boundDetails(value: unknown, level = 0): Json {
  if (typeof value === 'string') return boundText(value)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object') return typeof value
  if (level >= mostLevels) return '…'
  if (Array.isArray(value)) return value.slice(0, mostMembers).map((one) => boundDetails(one ?? null, level + 1))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.slice(0, mostMembers).map(([name, member]) => [boundText(name, 200), boundDetails(member, level + 1)]),
  )
}

export type ActivityEntry = {
  connectionId: string
  /** The moment by the wall clock, now if it is not said; order is by sequence alone. */
  at?: Date
  /** The e-mail of the person, or `desk` for what it did by itself; if it is not said, whoever's request it is. */
  actor?: string
  /** What happened, such as `cancellation.accepted`. */
  action: string
  objectKind: string
  objectId: string
  /** What came of it; if it is not said, it follows from the action, and most are done. */
  outcome?: ActivityOutcome
  /** The request or work in which it happened, if that is another one than now's. */
  facts?: RequestContext | undefined
  /** Facts, without secrets; they are bounded here (see boundDetails). */
  details: { readonly [name: string]: unknown }
}

const outcomes: Readonly<Record<string, ActivityOutcome>> = {
  'session.refused': 'refused',
  'session.proof-refused': 'refused',
  'cancellation.declined': 'refused',
  'cancellation.not-cancelled': 'failed',
  'cancellation.unknown': 'unknown',
  'cancellation.needs-person': 'unknown',
}

/** Any constant does: it only has to be the same in every process that appends. */
const headLock = 4_217_002

/** The request in which it happened, as it goes into the row: the same ids as in the reply, the log and at the service. */
function describeRequest(facts: RequestContext | undefined): Json | undefined {
  if (!facts) return undefined
  const { requestId, traceId, peer, sessionId, userId } = facts
  return { requestId, traceId, peer, sessionId, userId }
}

/** The columns of a row but its place in the chain. */
function makeRow(entry: ActivityEntry) {
  const { outcome = outcomes[entry.action] ?? 'done', at = new Date(), facts = getRequestContext() } = entry
  return {
    connectionId: entry.connectionId,
    at,
    actor: boundText(entry.actor ?? facts?.email ?? 'desk', 320),
    action: boundText(entry.action, 100),
    objectKind: boundText(entry.objectKind, 100),
    objectId: boundText(entry.objectId, 200),
    details: boundDetails({ ...entry.details, outcome, request: describeRequest(facts) }),
  }
}

/** Many go in one document: with ten parameters for each row PGlite took nearly twice as long (0118). */
async function insertRows(tx: Database, rows: readonly (typeof activity.$inferInsert)[]): Promise<void> {
  const [first] = rows
  if (first && rows.length === 1) await tx.insert(activity).values(first)
  else
    await tx.execute(sql`
      insert into ${activity}
        (sequence, connection_id, at, actor, action, object_kind, object_id, details, previous_hash, hash)
      select sequence, "connectionId", at, actor, action, "objectKind", "objectId", details, "previousHash", hash
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as entry(sequence bigint, "connectionId" text, at timestamptz, actor text, action text, "objectKind" text,
          "objectId" text, details jsonb, "previousHash" text, hash text)`)
}

/** Rows per statement. PGlite runs each in this thread, and nobody else is served meanwhile. */
const batch = 100

/**
 * Appends rows to the activity log in their order, each chained to the one before it; to be called in the
 * transaction that changes what they tell of, and last in it: from here to the commit every other writer waits,
 * on Postgres by an advisory lock (PGlite runs one transaction at a time anyway). The rows name the request by
 * themselves. Answers the sequence of the last row of the log.
 */
export async function appendActivities(tx: Database, entries: readonly ActivityEntry[]): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${headLock})`)
  const [head] = await tx
    .select({ sequence: activity.sequence, hash: activity.hash })
    .from(activity)
    .orderBy(desc(activity.sequence))
    .limit(1)
  let sequence = head?.sequence ?? 0
  let previousHash = head?.hash ?? genesisHash
  for (let start = 0; start < entries.length; start += batch) {
    // PGlite's promises alone never let the event loop turn.
    if (start > 0) await nextTurn()
    const rows = entries.slice(start, start + batch).map((entry) => {
      sequence += 1
      const row = { ...makeRow(entry), sequence }
      const chained = { ...row, previousHash, hash: hashEntry(previousHash, row) }
      previousHash = chained.hash
      return chained
    })
    await insertRows(tx, rows)
  }
  return sequence
}

/** Appends one row to the activity log, as appendActivities. Answers its sequence. */
export function appendActivity(tx: Database, entry: ActivityEntry): Promise<number> {
  return appendActivities(tx, [entry])
}

/** Somebody by id, or by e-mail where that is all that is known of them. */
type Person = { userId: string } | { email: string }

/** What somebody's account did; it belongs to them and not to one merchant. */
export type UserEntry = Omit<ActivityEntry, 'connectionId'> & { person: Person }

async function findMerchants(tx: Database, person: Person): Promise<string[]> {
  const rows = await tx
    .select({ connectionId: memberships.connectionId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where('userId' in person ? eq(users.id, person.userId) : eq(users.email, person.email))
    .orderBy(asc(memberships.connectionId))
  return rows.map(({ connectionId }) => connectionId)
}

/**
 * Appends such a thing, a sign-in before all, to the log of each merchant that they work for: there their
 * admins look for it, and nobody else's. Who works for none, or is not known, stands in the log of the settings' own
 * merchant. To be called as appendActivities.
 */
export async function appendUserActivity(tx: Database, { person, ...entry }: UserEntry): Promise<void> {
  const merchants = await findMerchants(tx, person)
  const places = merchants.length > 0 ? merchants : [defaultConnectionId]
  await appendActivities(
    tx,
    places.map((connectionId) => ({ ...entry, connectionId })),
  )
}

declare global {
  /** When each of the things that anybody can bring about was last written down; one per process. */
  var debitdeskNoted: Map<string, number> | undefined
}

const mostRemembered = 1_000

/**
 * Appends a row for something that changed nothing in the store: after a call to the service, or of a
 * refusal. Waits until it is written; a store that cannot be written to is told to the log and to nobody
 * else, for what happened has happened. Outside of a running desk (no store open) nothing is written.
 */
export async function recordActivity(entry: ActivityEntry | UserEntry): Promise<void> {
  const opening = globalThis.debitdeskStore
  if (!opening) return
  try {
    const { db } = await opening
    await db.transaction(async (tx) => {
      await ('person' in entry ? appendUserActivity(tx, entry) : appendActivity(tx, entry))
    })
  } catch (error) {
    const { action, objectKind, objectId } = entry
    log.error({ event: 'activity-not-written', action, objectKind, objectId, error: describeError(error) })
  }
}

/**
 * Notes what somebody could do any number of times, such as being refused: of one `key` one row in
 * `milliseconds`, so that nobody floods the log. Answers whether this one is noted. Does not wait.
 */
export function recordActivityOncePer(
  key: string,
  milliseconds: number,
  entry: ActivityEntry | UserEntry,
  now = Date.now(),
): boolean {
  const noted = (globalThis.debitdeskNoted ??= new Map())
  const last = noted.get(key)
  if (last !== undefined && now - last < milliseconds) return false
  noted.delete(key)
  noted.set(key, now)
  const [oldest] = noted.keys()
  if (noted.size > mostRemembered && oldest !== undefined) noted.delete(oldest)
  void recordActivity(entry)
  return true
}
