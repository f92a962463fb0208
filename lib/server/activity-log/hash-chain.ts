import { createHash } from 'node:crypto'
import { asc, gt } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { activity } from '../store/schema'
import { type Json, writeCanonicalJson } from './canonical-json'
import { commitTexts, countErasedTexts, type TextSalts } from './commitments'

/** The hashed columns of a row. */
export type ChainedEntry = {
  sequence: number
  connectionId: string
  at: Date
  actor: string
  action: string
  objectKind: string
  objectId: string
  details: Json
  /** Null in rows of before there were any, whose hash covers the texts themselves. */
  salts: TextSalts | null
}

/** The previous hash of the first row. */
export const genesisHash = '0'.repeat(64)

/**
 * SHA-256 over the previous row's hash and this row's canonical JSON, in hex, with a salted hash in place of each text of
 * its details. Throws if a text has no salt.
 */
export function hashEntry(previousHash: string, entry: ChainedEntry): string {
  const { sequence, connectionId, at, actor, action, objectKind, objectId, details, salts } = entry
  const row = { sequence, connectionId, at: at.toISOString(), actor, action, objectKind, objectId }
  const content = salts ? { ...row, details: commitTexts(details, salts), format: 2 } : { ...row, details }
  return createHash('sha256').update(previousHash).update(writeCanonicalJson(content)).digest('hex')
}

/** The action of the rows that record what rows of before there were salts say since texts of them were erased. */
export const REWRITTEN_ACTION = 'person.rewritten'

/** The hash of such a row by its content, as the row that records it holds it under the sequence. */
export function hashRewritten(row: ChainedRow): string {
  return createHash('sha256').update(row.hash).update(hashEntry(row.previousHash, row)).digest('hex')
}

function readRewritten({ action, details }: ChainedEntry): [sequence: number, hash: unknown][] {
  if (action !== REWRITTEN_ACTION || typeof details !== 'object' || details === null) return []
  const rows: unknown = 'rows' in details ? details.rows : null
  return Object.entries(typeof rows === 'object' && rows !== null ? rows : {}).map(([name, hash]) => [
    Number(name),
    hash,
  ])
}

export type ChainedRow = ChainedEntry & { previousHash: string; hash: string }

/** The last row according to an earlier verification. */
export type ChainHead = { sequence: number; hash: string }

/**
 * `erased` rows have texts that were erased; of those, `rewritten` ones had no salted hashes, so that only what they say
 * since then is proven. If it does not hold: the first wrong sequence, the reason, and the row that is there now. `cut` and `replaced` are
 * only found by comparison with known heads.
 */
export type ChainVerdict =
  | { holds: true; count: number; head: string; erased: number; rewritten: number }
  | {
      holds: false
      sequence: number
      reason: 'missing' | 'not-linked' | 'altered' | 'cut' | 'replaced'
      row?: ChainedEntry
    }

function hashOrNull(previousHash: string, row: ChainedEntry): string | null {
  try {
    return hashEntry(previousHash, row)
  } catch {
    return null
  }
}

const genesis: ChainHead = { sequence: 0, hash: genesisHash }

/** Verifies rows from the first on, or from the one after `after`. Each `known` head must be among them. */
export async function verifyRows(
  rows: AsyncIterable<ChainedRow> | Iterable<ChainedRow>,
  { known = [], after = genesis }: { known?: readonly ChainHead[]; after?: ChainHead } = {},
): Promise<ChainVerdict> {
  const heads = new Map<number, string[]>()
  for (const { sequence, hash } of known) heads.set(sequence, [...(heads.get(sequence) ?? []), hash])
  const lastKnown = known.reduce((most, { sequence }) => Math.max(most, sequence), 0)
  let { sequence: count, hash: head } = after
  let erased = 0
  const rewritten = new Set<number>()
  const unproven = new Map<number, ChainedRow>()
  for await (const row of rows) {
    const sequence = count + 1
    if (row.sequence !== sequence) return { holds: false, sequence, reason: 'missing' }
    if (row.previousHash !== head) return { holds: false, sequence, reason: 'not-linked', row }
    const isErased = countErasedTexts(row.details) > 0
    if (row.hash !== hashOrNull(head, row)) {
      if (row.salts !== null || !isErased) return { holds: false, sequence, reason: 'altered', row }
      unproven.set(sequence, row)
    }
    for (const [one, hash] of readRewritten(row)) {
      const earlier = unproven.get(one)
      if (earlier === undefined || hashRewritten(earlier) !== hash) continue
      unproven.delete(one)
      rewritten.add(one)
    }
    if (isErased) erased += 1
    if (heads.get(sequence)?.some((hash) => hash !== row.hash))
      return { holds: false, sequence, reason: 'replaced', row }
    head = row.hash
    count = sequence
  }
  for (const [sequence, row] of unproven) return { holds: false, sequence, reason: 'altered', row }
  if (count < lastKnown) return { holds: false, sequence: count + 1, reason: 'cut' }
  return { holds: true, count, head, erased, rewritten: rewritten.size }
}

const PAGE_SIZE = 1_000

async function* readChain(db: Database, begin = Number.MIN_SAFE_INTEGER): AsyncGenerator<ChainedRow> {
  let after = begin
  for (;;) {
    const rows = await db
      .select()
      .from(activity)
      .where(gt(activity.sequence, after))
      .orderBy(asc(activity.sequence))
      .limit(PAGE_SIZE)
    yield* rows.map(toChainedRow)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_SIZE) return
    after = last.sequence
  }
}

/** Guarantee: a jsonb column returns only JSON values. */
export function toChainedRow(row: typeof activity.$inferSelect): ChainedRow {
  return { ...row, details: row.details as Json }
}

/** Verifies the whole activity log. Only `known` heads reveal rows cut off at its end. */
export function verifyChain(db: Database, known: readonly ChainHead[] = []): Promise<ChainVerdict> {
  return verifyRows(readChain(db), { known })
}

/** Verifies that the log continues correctly after a known head. */
export function verifyChainAfter(db: Database, after: ChainHead): Promise<ChainVerdict> {
  return verifyRows(readChain(db, after.sequence), { after })
}
