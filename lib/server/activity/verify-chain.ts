import { asc, gt } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { activity } from '../store/schema'
import type { Json } from './canonical-json'
import { type ChainedEntry, genesisHash, hashEntry } from './chain-hash'

export type ChainedRow = ChainedEntry & { previousHash: string; hash: string }

/** The sequence and the hash of a row that an earlier verdict called the last. */
export type ChainHead = { sequence: number; hash: string }

/**
 * `count` rows hold and `head` is the last hash; or the first sequence that does not, and why: `cut` and
 * `replaced` only where an earlier head was there to compare with. `row` is what stands there now.
 */
export type ChainVerdict =
  | { holds: true; count: number; head: string }
  | {
      holds: false
      sequence: number
      reason: 'missing' | 'not-linked' | 'altered' | 'cut' | 'replaced'
      row?: ChainedEntry
    }

function tryHash(previousHash: string, row: ChainedEntry): string | null {
  try {
    return hashEntry(previousHash, row)
  } catch {
    return null
  }
}

const genesis: ChainHead = { sequence: 0, hash: genesisHash }

/**
 * Checks rows in the order given, which must be the log's own from its first row on, or from the one after `after`;
 * each head that is `known` must be among them.
 */
export async function verifyRows(
  rows: AsyncIterable<ChainedRow> | Iterable<ChainedRow>,
  { known = [], after = genesis }: { known?: readonly ChainHead[]; after?: ChainHead } = {},
): Promise<ChainVerdict> {
  const heads = new Map<number, string[]>()
  for (const { sequence, hash } of known) heads.set(sequence, [...(heads.get(sequence) ?? []), hash])
  const longest = known.reduce((most, { sequence }) => Math.max(most, sequence), 0)
  let { sequence: count, hash: head } = after
  for await (const row of rows) {
    const sequence = count + 1
    if (row.sequence !== sequence) return { holds: false, sequence, reason: 'missing' }
    if (row.previousHash !== head) return { holds: false, sequence, reason: 'not-linked', row }
    if (row.hash !== tryHash(head, row)) return { holds: false, sequence, reason: 'altered', row }
    if (heads.get(sequence)?.some((hash) => hash !== row.hash))
      return { holds: false, sequence, reason: 'replaced', row }
    head = row.hash
    count = sequence
  }
  if (count < longest) return { holds: false, sequence: count + 1, reason: 'cut' }
  return { holds: true, count, head }
}

const pageSize = 1_000

async function* readChain(db: Database, begin = Number.MIN_SAFE_INTEGER): AsyncGenerator<ChainedRow> {
  let after = begin
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
 * Verifies the whole activity log of a store, a page at a time. Rows cut off at its end are not seen unless
 * the heads of earlier verdicts are `known`.
 */
export function verifyChain(db: Database, known: readonly ChainHead[] = []): Promise<ChainVerdict> {
  return verifyRows(readChain(db), { known })
}

/** Verifies the rows after a known head only: that the log goes on from there. */
export function verifyChainAfter(db: Database, after: ChainHead): Promise<ChainVerdict> {
  return verifyRows(readChain(db, after.sequence), { after })
}
