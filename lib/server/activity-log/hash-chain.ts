import { createHash } from 'node:crypto'
import { asc, gt } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { activity } from '../store/schema'

/** What canonical JSON can hold; a member that is undefined is left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/**
 * Writes a value as the one text that stands for it: members in the order of their names' UTF-16 code
 * units, no white space, numbers and strings as ECMAScript writes them (RFC 8785). Throws TypeError for
 * what that text could not carry: a number that is not finite, a string that is not well-formed.
 */
export function writeCanonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('a number is not finite')
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('a string is not well-formed')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(writeCanonicalJson).join(',')}]`
  const members = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const member = value[name]
      return member === undefined ? [] : [`${writeCanonicalJson(name)}:${writeCanonicalJson(member)}`]
    })
  return `{${members.join(',')}}`
}

/** Array.isArray does not narrow a readonly list away from a record. */
function isList(value: object): value is readonly Json[] {
  return Array.isArray(value)
}

/** One row of the activity log as it is hashed. */
export type ChainedEntry = {
  sequence: number
  connectionId: string
  at: Date
  actor: string
  action: string
  objectKind: string
  objectId: string
  details: Json
}

/** Stands before the first row. */
export const genesisHash = '0'.repeat(64)

/** The hash of a row: SHA-256 over the hash of the row before it and the row's canonical JSON, in hex. */
export function hashEntry(previousHash: string, entry: ChainedEntry): string {
  const { sequence, connectionId, at, actor, action, objectKind, objectId, details } = entry
  const row = { sequence, connectionId, at: at.toISOString(), actor, action, objectKind, objectId, details }
  return createHash('sha256').update(previousHash).update(writeCanonicalJson(row)).digest('hex')
}

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
