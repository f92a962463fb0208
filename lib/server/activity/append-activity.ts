import { desc, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { activity } from '../store/schema'
import type { Json } from './canonical-json'
import { genesisHash, hashEntry } from './chain-hash'

export type ActivityEntry = {
  connectionId: string
  /** The moment by the wall clock; order is by sequence alone. */
  at: Date
  /** The e-mail of the person, or `desk` for what it did by itself. */
  actor: string
  /** What happened, such as `cancellation.accepted`. */
  action: string
  objectKind: string
  objectId: string
  /** Facts, without secrets; strings well-formed and without NUL. */
  details: { readonly [name: string]: Json | undefined }
}

/** Any constant does: it only has to be the same in every process that appends. */
const headLock = 4_217_002

/**
 * Appends a row to the activity log, chained to the one before it; to be called in the transaction that
 * changes what the row tells of, and last in it: from here to the commit every other writer waits, on
 * Postgres by an advisory lock (PGlite runs one transaction at a time anyway). Answers the row's sequence.
 */
export async function appendActivity(tx: Database, entry: ActivityEntry): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${headLock})`)
  const [head] = await tx
    .select({ sequence: activity.sequence, hash: activity.hash })
    .from(activity)
    .orderBy(desc(activity.sequence))
    .limit(1)
  const sequence = (head?.sequence ?? 0) + 1
  const previousHash = head?.hash ?? genesisHash
  // As the store will give it back: what is undefined is not there.
  const row = { ...entry, details: JSON.parse(JSON.stringify(entry.details)), sequence }
  await tx.insert(activity).values({ ...row, previousHash, hash: hashEntry(previousHash, row) })
  return sequence
}
