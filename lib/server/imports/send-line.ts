import { and, eq, ne, sql } from 'drizzle-orm'
import { readIdentity } from '@/lib/contract/read-identity'
import type { Database } from '@/lib/database/open-database'
import { Failure } from '../failure'
import { perform } from '../perform'
import type { Session } from '../session'
import { customerImportRows, type KnownBefore } from '../store/import-schema'
import { makeLineKey } from './import-key'
import type { ImportRow } from './view-import'

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

function describeRefusal({ message, evidence }: Failure): string {
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
    const { reply } = await perform(session, 'createCustomer', {
      // As it is now: the file may have been given again with another mapping since it was read.
      body: claimed.body,
      idempotencyKey: makeLineKey(line.connectionId, fileHash, line.line, claimed.refusals),
      mayStart: () => Date.now() - claimedAt < stale,
    })
    const { id, handle } = readIdentity(reply)
    // However late the answer comes, and whatever was thought of the line meanwhile: this is what became of it.
    await db
      .update(customerImportRows)
      .set({ state: 'created', customerId: id, handle, message: null, settledBy: null })
      .where(and(isLine(line), ne(customerImportRows.state, 'created')))
    return { kind: 'next' }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
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
