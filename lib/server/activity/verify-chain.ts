import { asc, gt } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { activity } from '../store/schema'
import type { Json } from './canonical-json'
import { type ChainedEntry, genesisHash, hashEntry } from './chain-hash'

export type ChainedRow = ChainedEntry & { previousHash: string; hash: string }

/** `count` rows hold and `head` is the last hash; or the first sequence that does not, and why. */
export type ChainVerdict =
  | { holds: true; count: number; head: string }
  | { holds: false; sequence: number; reason: 'missing' | 'not-linked' | 'altered' }

function tryHash(previousHash: string, row: ChainedEntry): string | null {
  try {
    return hashEntry(previousHash, row)
  } catch {
    return null
  }
}

/** Checks rows in the order given, which must be the log's own from its first row on. */
export async function verifyRows(rows: AsyncIterable<ChainedRow> | Iterable<ChainedRow>): Promise<ChainVerdict> {
  let head = genesisHash
  let count = 0
  for await (const row of rows) {
    const sequence = count + 1
    if (row.sequence !== sequence) return { holds: false, sequence, reason: 'missing' }
    if (row.previousHash !== head) return { holds: false, sequence, reason: 'not-linked' }
    if (row.hash !== tryHash(head, row)) return { holds: false, sequence, reason: 'altered' }
    head = row.hash
    count = sequence
  }
  return { holds: true, count, head }
}

const pageSize = 1_000

async function* readChain(db: Database): AsyncGenerator<ChainedRow> {
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const rows = await db
      .select()
      .from(activity)
      .where(gt(activity.sequence, after))
      .orderBy(asc(activity.sequence))
      .limit(pageSize)
    for (const row of rows) yield { ...row, details: readDetails(row.details) }
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = last.sequence
  }
}

/** A jsonb column gives back what JSON can say, and nothing else. */
function readDetails(details: unknown): Json {
  return details as Json
}

/**
 * Verifies the whole activity log of a store. Rows cut off at its end are not seen here: that takes the
 * head of an earlier verdict to compare with.
 */
export function verifyChain(db: Database): Promise<ChainVerdict> {
  return verifyRows(readChain(db))
}
