import { setImmediate as nextTurn } from 'node:timers/promises'
import { desc, sql } from 'drizzle-orm'
import type { ActivityOutcome } from '@/lib/contract/activity'
import type { Database } from '@/lib/database/open-database'
import { getRequestFacts, type RequestFacts } from '../request-facts'
import { activity } from '../store/schema'
import { boundDetails, boundText } from './bound-details'
import type { Json } from './canonical-json'
import { genesisHash, hashEntry } from './chain-hash'

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
  facts?: RequestFacts | undefined
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
function describeRequest(facts: RequestFacts | undefined): Json | undefined {
  if (!facts) return undefined
  const { requestId, traceId, peer, sessionId, userId } = facts
  return { requestId, traceId, peer, sessionId, userId }
}

/** The columns of a row but its place in the chain. */
function makeRow(entry: ActivityEntry) {
  const { outcome = outcomes[entry.action] ?? 'done', at = new Date(), facts = getRequestFacts() } = entry
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
