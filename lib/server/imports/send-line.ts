import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { parseIdentity } from '@/lib/domain/created-identity'
import type { Session } from '../auth/session'
import { toErrorLine } from '../http/field-errors'
import { AppError } from '../runtime/app-error'
import { customerImportRows, type KnownBefore } from '../store/import-schema'
import { toStorable } from '../store/to-storable'
import { callEndpoint } from '../upstream/call-endpoint'
import type { ImportRow } from './import-record'

/** SHA-256 of a file's text, in hex. */
export function hashFile(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * Idempotency-Key of a line, formatted as UUID v4: the same line of the same file is the same request, whoever sends
 * it, until the upstream API has definitely refused it.
 */
export function makeLineKey(connectionId: string, fileHash: string, line: number, refusals: number): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify([connectionId, fileHash, line, refusals]))
    .digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

export type Line = typeof customerImportRows.$inferSelect
export type Step =
  | { kind: 'next' }
  /** The upstream API asked to wait. */
  | { kind: 'wait'; seconds: number }
  /** Nothing is due yet. */
  | { kind: 'pause'; seconds: number }
  | { kind: 'failure'; code: string }
  | { kind: 'hold'; code: string }

/** Refusals that concern this line only. */
const LINE_REFUSAL_CODES = ['upstream-refused', 'bad-request', 'not-found', 'key-reused']
/** Failures that only a person can resolve. */
export const UNRECOVERABLE_CODES = ['owner-signed-out', 'upstream-credential', 'upstream-forbidden', 'forbidden']

/** A process paused for longer than this between claiming a line and its first byte sends nothing. */
const MAX_CLAIM_AGE_MS = 20_000

export const isLine = ({ importId, line }: Line) =>
  and(eq(customerImportRows.importId, importId), eq(customerImportRows.line, line))

function describeRefusal({ message, evidence }: AppError): string {
  const text = evidence.detail ?? message
  const line = evidence.errors ? `${text.replace(/[.:\s]+$/u, '')}: ${toErrorLine(evidence.errors)}` : text
  return line.slice(0, 500)
}

/**
 * Marks a line as in doubt before sending, so that a crash does not make it look unsent. Null if it is no longer
 * waiting: only one process can claim it.
 */
async function claimLine(db: Database, line: Line, before: KnownBefore | null): Promise<Line | null> {
  const [claimed] = await db
    .update(customerImportRows)
    .set({
      state: 'unknown',
      sendings: line.sendings + 1,
      sentAt: line.sentAt ?? sql`now()`,
      // Kept from the first sending in doubt: a customer created by any of them belongs to this line.
      knownBefore: line.sentAt === null ? before : line.knownBefore,
      failure: null,
      message: null,
      looks: 0,
      misses: 0,
      lookedAt: null,
      heldAt: null,
      heldFor: null,
      settledBy: null,
    })
    .where(and(isLine(line), eq(customerImportRows.state, 'waiting'), eq(customerImportRows.sendings, line.sendings)))
    .returning()
  return claimed ?? null
}

/**
 * Sends a waiting line and records the outcome. The line stays in doubt except after success, a definite refusal, a
 * 429, or if certainly no byte was sent. `before`: the customers known at the start.
 */
export async function sendLine(
  db: Database,
  session: Session,
  { fileHash }: ImportRow,
  line: Line,
  before: KnownBefore | null,
): Promise<Step> {
  const claimed = await claimLine(db, line, before)
  if (!claimed) return { kind: 'next' }
  const claimedAt = Date.now()
  const isLatest = and(
    isLine(line),
    eq(customerImportRows.state, 'unknown'),
    eq(customerImportRows.sendings, line.sendings + 1),
  )
  const update = (change: Partial<Line>) => db.update(customerImportRows).set(change).where(isLatest)
  try {
    const { reply } = await callEndpoint(session, 'createCustomer', {
      // The current body: the file may have been submitted with another mapping since the line was read.
      body: claimed.body,
      idempotencyKey: makeLineKey(line.connectionId, fileHash, line.line, claimed.refusals),
      mayStart: () => Date.now() - claimedAt < MAX_CLAIM_AGE_MS,
    })
    const { id, handle } = parseIdentity(reply)
    // Applies however late the reply comes, and whatever was concluded meanwhile.
    await db
      .update(customerImportRows)
      .set({
        state: 'created',
        customerId: toStorable(id),
        handle: toStorable(handle),
        message: null,
        settledBy: null,
      })
      .where(and(isLine(line), ne(customerImportRows.state, 'created')))
    return { kind: 'next' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, evidence } = error
    const { sentAt, knownBefore, settledBy } = line
    const wasInDoubt = sentAt !== null || settledBy !== null
    if (LINE_REFUSAL_CODES.includes(code)) {
      const message = describeRefusal(error)
      // An earlier sending may have arrived and be the reason for this refusal: the line stays in doubt, under its key.
      if (wasInDoubt) await update({ failure: code, message })
      else await update({ state: 'refused', refusals: line.refusals + 1, message, sentAt: null, knownBefore: null })
      return { kind: 'next' }
    }
    const isUnsent = UNRECOVERABLE_CODES.includes(code) || code === 'upstream-slow-down' || evidence.written === false
    await update(isUnsent ? { state: 'waiting', sentAt, knownBefore, settledBy } : { failure: code })
    if (code === 'upstream-slow-down') return { kind: 'wait', seconds: Math.max(1, evidence.retryAfter ?? 5) }
    return UNRECOVERABLE_CODES.includes(code) ? { kind: 'hold', code } : { kind: 'failure', code }
  }
}
