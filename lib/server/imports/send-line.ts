import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { parseIdentity } from '@/lib/domain/created-identity'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { customerImportRows, type KnownBefore } from '../store/import-schema'
import { callEndpoint } from '../upstream/call-endpoint'
import type { ImportRow } from './import-record'

/** SHA-256 of a file's text, in hex. */
export function hashFile(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * The Idempotency-Key of one line of a file, in the shape of a UUID v4: the same line of the same file is the
 * same request, whoever sends it and whenever, until the service has refused it for certain.
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
  /** The service asked to be left alone for so long. */
  | { kind: 'wait'; seconds: number }
  /** Nothing is to be done for so long. */
  | { kind: 'pause'; seconds: number }
  | { kind: 'falter'; code: string }
  | { kind: 'hold'; code: string }

/** Refusals of the one line: all others are of the whole. */
const refusals = ['upstream-refused', 'bad-request', 'not-found', 'key-reused']
/** Failures that nothing but a person can mend. */
export const hopeless = ['owner-signed-out', 'upstream-credential', 'upstream-forbidden', 'forbidden']

/** A process that was paused for longer than this between claiming a line and its first byte sends nothing. */
const stale = 20_000

export const isLine = ({ importId, line }: Line) =>
  and(eq(customerImportRows.importId, importId), eq(customerImportRows.line, line))

function describeRefusal({ message, evidence }: AppError): string {
  const fields = Object.entries(evidence.errors ?? {}).map(([field, words]) => `${field} ${words.join(', ')}`)
  const told = evidence.detail ?? message
  return (fields.length === 0 ? told : `${told.replace(/[.:\s]+$/u, '')}: ${fields.join('; ')}`).slice(0, 500)
}

/**
 * Marks a line as in doubt before it is sent, so that a desk that ends now does not take it for one that was never sent.
 * False where it does not wait any more: of several desks one alone claims a line.
 */
async function claimLine(db: Database, line: Line, before: KnownBefore | null): Promise<Line | null> {
  const [claimed] = await db
    .update(customerImportRows)
    .set({
      state: 'unknown',
      sendings: line.sendings + 1,
      sentAt: line.sentAt ?? sql`now()`,
      // What was there before the first sending in doubt: a customer made by any of them is the line's.
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
 * Sends one waiting line and writes down what came of it. Only a definite refusal, a 429 or a request of which no byte went
 * out leaves a line other than in doubt. `before` is what was known of the customers by then.
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
  const keep = (change: Partial<Line>) => db.update(customerImportRows).set(change).where(isLatest)
  try {
    const { reply } = await callEndpoint(session, 'createCustomer', {
      // As it is now: the file may have been given again with another mapping since it was read.
      body: claimed.body,
      idempotencyKey: makeLineKey(line.connectionId, fileHash, line.line, claimed.refusals),
      mayStart: () => Date.now() - claimedAt < stale,
    })
    const { id, handle } = parseIdentity(reply)
    // However late the answer comes, and whatever was thought of the line meanwhile: this is what became of it.
    await db
      .update(customerImportRows)
      .set({ state: 'created', customerId: id, handle, message: null, settledBy: null })
      .where(and(isLine(line), ne(customerImportRows.state, 'created')))
    return { kind: 'next' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, evidence } = error
    const { sentAt, knownBefore, settledBy } = line
    const wasInDoubt = sentAt !== null || settledBy !== null
    if (refusals.includes(code)) {
      const message = describeRefusal(error)
      // An earlier sending may have arrived, and may be why this one was refused: the line stays in doubt, under its key.
      if (wasInDoubt) await keep({ failure: code, message })
      else await keep({ state: 'refused', refusals: line.refusals + 1, message, sentAt: null, knownBefore: null })
      return { kind: 'next' }
    }
    const isLeft = hopeless.includes(code) || code === 'upstream-slow-down' || evidence.written === false
    await keep(isLeft ? { state: 'waiting', sentAt, knownBefore, settledBy } : { failure: code })
    if (code === 'upstream-slow-down') return { kind: 'wait', seconds: Math.max(1, evidence.retryAfter ?? 5) }
    return hopeless.includes(code) ? { kind: 'hold', code } : { kind: 'falter', code }
  }
}
