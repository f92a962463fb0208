import { createHash } from 'node:crypto'
import { asc, gt } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { activity } from '../store/schema'

/** A value of canonical JSON; undefined members are left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }

/**
 * Serialises a value as canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space. Throws
 * TypeError for numbers that are not finite and strings that are not well-formed.
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
}

/** The previous hash of the first row. */
export const genesisHash = '0'.repeat(64)

/** SHA-256 over the previous row's hash and this row's canonical JSON, in hex. */
export function hashEntry(previousHash: string, entry: ChainedEntry): string {
  const { sequence, connectionId, at, actor, action, objectKind, objectId, details } = entry
  const row = { sequence, connectionId, at: at.toISOString(), actor, action, objectKind, objectId, details }
  return createHash('sha256').update(previousHash).update(writeCanonicalJson(row)).digest('hex')
}

export type ChainedRow = ChainedEntry & { previousHash: string; hash: string }

/** The last row according to an earlier verification. */
export type ChainHead = { sequence: number; hash: string }

/**
 * If it does not hold: the first wrong sequence, the reason, and the row that is there now. `cut` and `replaced` are
 * only found by comparison with known heads.
 */
export type ChainVerdict =
  | { holds: true; count: number; head: string }
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
  for await (const row of rows) {
    const sequence = count + 1
    if (row.sequence !== sequence) return { holds: false, sequence, reason: 'missing' }
    if (row.previousHash !== head) return { holds: false, sequence, reason: 'not-linked', row }
    if (row.hash !== hashOrNull(head, row)) return { holds: false, sequence, reason: 'altered', row }
    if (heads.get(sequence)?.some((hash) => hash !== row.hash))
      return { holds: false, sequence, reason: 'replaced', row }
    head = row.hash
    count = sequence
  }
  if (count < lastKnown) return { holds: false, sequence: count + 1, reason: 'cut' }
  return { holds: true, count, head }
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
    for (const row of rows) yield { ...row, details: asJson(row.details) }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_SIZE) return
    after = last.sequence
  }
}

/** Guarantee: a jsonb column returns only JSON values. */
function asJson(details: unknown): Json {
  return details as Json
}

/** Verifies the whole activity log. Only `known` heads reveal rows cut off at its end. */
export function verifyChain(db: Database, known: readonly ChainHead[] = []): Promise<ChainVerdict> {
  return verifyRows(readChain(db), { known })
}

/** Verifies that the log continues correctly after a known head. */
export function verifyChainAfter(db: Database, after: ChainHead): Promise<ChainVerdict> {
  return verifyRows(readChain(db, after.sequence), { after })
}
