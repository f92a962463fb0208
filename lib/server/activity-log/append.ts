import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { ActivityOutcome } from '@/lib/domain/activity/activity'
import { findChanges } from '../changes/activity-changes'
import { notifyColumns } from '../changes/announce-changes'
import { describeError, log } from '../runtime/log'
import { getRequestContext, type RequestContext } from '../runtime/request-context'
import { activity, connections, defaultConnectionId, memberships, users } from '../store/schema'
import { toStorable } from '../store/to-storable'
import { createTextSalts } from './commitments'
import type { Json } from './canonical-json'
import { genesisHash, hashEntry } from './hash-chain'

const MAX_TEXT_LENGTH = 2_000
const MAX_MEMBERS = 100
const MAX_LEVELS = 8

/** Bounds a text and makes it storable; `limit` in UTF-16 code units. */
export function boundText(text: string, limit = MAX_TEXT_LENGTH): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text
  return toStorable(cut)
}

/**
 * Turns untrusted data into storable JSON: bounded, well-formed texts, at most MAX_MEMBERS per level and MAX_LEVELS, no
 * non-finite numbers; undefined members are dropped. Control characters stay: JSON escapes them, and whoever displays
 * them must.
 */
export function boundDetails(value: unknown, level = 0): Json {
  if (typeof value === 'string') return boundText(value)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object') return typeof value
  if (level >= MAX_LEVELS) return '…'
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((one) => boundDetails(one ?? null, level + 1))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.slice(0, MAX_MEMBERS).map(([name, member]) => [boundText(name, 200), boundDetails(member, level + 1)]),
  )
}

export type ActivityEntry = {
  connectionId: string
  /** Time by the wall clock, default now; the order is by sequence alone. */
  at?: Date
  /** E-mail of the user, or `desk` for its own work; default: the user of the current request. */
  actor?: string
  /** For example `cancellation.accepted`. */
  action: string
  objectKind: string
  objectId: string
  /** Default: derived from the action. */
  outcome?: ActivityOutcome
  /** The request or work it belongs to, if not the current one. */
  context?: RequestContext | undefined
  /** Without secrets; bounded by boundDetails. */
  details: { readonly [name: string]: unknown }
}

const OUTCOMES: Readonly<Record<string, ActivityOutcome>> = {
  'session.refused': 'refused',
  'token.refused': 'refused',
  'session.proof-refused': 'refused',
  'session.factor-refused': 'refused',
  'cancellation.declined': 'refused',
  'cancellation.not-cancelled': 'failed',
  'cancellation.unknown': 'unknown',
  'cancellation.needs-person': 'unknown',
}

/** Advisory lock id: any constant, the same in every process that appends. */
const HEAD_LOCK_ID = 4_217_002

/** The ids that the reply, the log and the upstream request carry, too. */
function describeRequest(context: RequestContext | undefined): Json | undefined {
  if (!context) return undefined
  const { requestId, traceId, peer, sessionId, userId, apiToken } = context
  return { requestId, traceId, peer, userId, ...(apiToken ? { apiToken: { ...apiToken } } : { sessionId }) }
}

/** The columns of a row, except its place in the chain. */
function makeRow(entry: ActivityEntry) {
  const { outcome = OUTCOMES[entry.action] ?? 'done', at = new Date(), context = getRequestContext() } = entry
  return {
    connectionId: entry.connectionId,
    at,
    actor: boundText(entry.actor ?? context?.email ?? 'desk', 320),
    action: boundText(entry.action, 100),
    objectKind: boundText(entry.objectKind, 100),
    objectId: boundText(entry.objectId, 200),
    details: boundDetails({ ...entry.details, outcome, request: describeRequest(context) }),
  }
}

/** Several rows go as one JSON parameter: ten parameters per row took nearly twice as long on PGlite (0118). */
async function insertRows(tx: Database, rows: readonly (typeof activity.$inferInsert)[]): Promise<void> {
  const [first] = rows
  if (first && rows.length === 1) await tx.insert(activity).values(first)
  else
    await tx.execute(sql`
      insert into ${activity}
        (sequence, connection_id, at, actor, action, object_kind, object_id, details, salts, previous_hash, hash)
      select sequence, "connectionId", at, actor, action, "objectKind", "objectId", details, salts, "previousHash", hash
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as entry(sequence bigint, "connectionId" text, at timestamptz, actor text, action text, "objectKind" text,
          "objectId" text, details jsonb, salts jsonb, "previousHash" text, hash text)`)
}

/** Rows per statement: PGlite runs each in this thread and blocks everything else meanwhile. */
const ROWS_PER_STATEMENT = 100

/**
 * Appends entries to the activity log, each chained to the one before. Call it last in the transaction that makes the
 * change: until the commit every other writer waits, on Postgres for an advisory lock (PGlite runs one transaction at a
 * time anyway). The current request is recorded automatically. Open pages are told of the changes (findChanges) in the
 * same statement. Returns the last sequence.
 */
export async function appendActivities(tx: Database, entries: readonly ActivityEntry[]): Promise<number> {
  const changes = entries.flatMap((entry) => findChanges(entry, (entry.context ?? getRequestContext())?.userId))
  const notifications = notifyColumns(changes)
  await tx.execute(sql`select ${sql.join([sql`pg_advisory_xact_lock(${HEAD_LOCK_ID})`, ...notifications], sql`, `)}`)
  const [head] = await tx
    .select({ sequence: activity.sequence, hash: activity.hash })
    .from(activity)
    .orderBy(desc(activity.sequence))
    .limit(1)
  let sequence = head?.sequence ?? 0
  let previousHash = head?.hash ?? genesisHash
  for (let start = 0; start < entries.length; start += ROWS_PER_STATEMENT) {
    // PGlite's promises alone never let the event loop turn.
    if (start > 0) await nextTurn()
    const rows = entries.slice(start, start + ROWS_PER_STATEMENT).map((entry) => {
      sequence += 1
      const row = { ...makeRow(entry), salts: createTextSalts(), sequence }
      const chained = { ...row, previousHash, hash: hashEntry(previousHash, row) }
      previousHash = chained.hash
      return chained
    })
    await insertRows(tx, rows)
  }
  return sequence
}

/** Appends one entry; see appendActivities. Returns its sequence. */
export function appendActivity(tx: Database, entry: ActivityEntry): Promise<number> {
  return appendActivities(tx, [entry])
}

/** A user by id, or by e-mail if nothing else is known. */
type Person = { userId: string } | { email: string }

/**
 * An event of a user's account; it belongs to no single merchant. `detailsAt`: further details for one merchant alone, whose
 * people must not learn where else the person works.
 */
export type UserEntry = Omit<ActivityEntry, 'connectionId'> & {
  person: Person
  detailsAt?: (connectionId: string) => ActivityEntry['details']
}

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
 * Appends an event of an account, mostly a sign-in, to the log of each merchant the user works for, where its admins
 * look. Users without a merchant, and unknown ones, go to the default merchant's log. Call it like appendActivities.
 */
export async function appendUserActivity(tx: Database, { person, detailsAt, ...entry }: UserEntry): Promise<void> {
  const merchants = await findMerchants(tx, person)
  const connectionIds = merchants.length > 0 ? merchants : [defaultConnectionId]
  await appendActivities(
    tx,
    connectionIds.map((connectionId) => ({
      ...entry,
      connectionId,
      details: { ...entry.details, ...detailsAt?.(connectionId) },
    })),
  )
}

declare global {
  /** When each key was last recorded; one per process. */
  var debitdeskNoted: Map<string, number> | undefined
}

const MAX_REMEMBERED = 1_000

/**
 * Appends an entry for an event without a change in the store, such as an upstream request or a refusal. Waits until it
 * is written. A failure is only logged: what happened cannot be undone. Without an open store nothing is written.
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
 * Records an event that can be repeated at will, such as a refusal, once per `key` and interval, to prevent flooding.
 * Returns whether this one is recorded. Does not wait.
 */
export function recordActivityOncePer(
  key: string,
  milliseconds: number,
  entry: ActivityEntry | UserEntry,
  now = Date.now(),
): boolean {
  const lastRecorded = (globalThis.debitdeskNoted ??= new Map())
  const last = lastRecorded.get(key)
  if (last !== undefined && now - last < milliseconds) return false
  lastRecorded.delete(key)
  lastRecorded.set(key, now)
  const [oldest] = lastRecorded.keys()
  if (lastRecorded.size > MAX_REMEMBERED && oldest !== undefined) lastRecorded.delete(oldest)
  void recordActivity(entry)
  return true
}
