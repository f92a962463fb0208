import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { Answer } from './handler'
import { Problem, type ProblemCode, type ProblemExtras } from './problem'
import { storedAnswers } from '../store/schema'

/** A write as one key may stand for it: the same key with another of these is refused. */
export type WriteRequest = { merchantId: string; key: string; method: string; path: string; body: unknown; now: Date }

/** What is kept of an answer: a success, or a refusal that the verb decided on. */
export type StoredAnswer =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'problem'; code: ProblemCode; detail: string; extras: ProblemExtras }

export type Replayable = StoredAnswer & { replayed: boolean }

/** Visible ASCII, as a header value can carry it; a UUID is the custom, not a rule. */
const keyPattern = /^[\x21-\x7e]{1,255}$/u

/** Reads the Idempotency-Key header; undefined when there is none. Throws Problem `idempotency-key`. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && keyPattern.test(header)) return header
  throw new Problem(
    'idempotency-key',
    'An Idempotency-Key is one value of 1 to 255 visible ASCII characters, best a UUID.',
  )
}

function hashRequest({ method, path, body }: WriteRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, body ?? null]))
    .digest('hex')
}

/** Rows of `stored_answers` are written by `runOnce` alone, in this shape. */
function trustStored(answer: unknown): StoredAnswer {
  return answer as StoredAnswer
}

function withoutSecrets(stored: StoredAnswer): StoredAnswer {
  return stored.kind === 'answer' ? { kind: 'answer', answer: { ...stored.answer, once: undefined } } : stored
}

/** Runs a verb so that a refusal undoes what it did and can still be stored. */
async function runToOutcome(db: Database, run: (db: Database) => Promise<Answer>): Promise<StoredAnswer> {
  try {
    return { kind: 'answer', answer: await db.transaction(run) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { kind: 'problem', code: error.code, detail: error.detail, extras: error.extras }
  }
}

/**
 * Runs a write once per Idempotency-Key: its effect and its answer are committed together, and the same
 * key with the same request gets that answer again. `db` is an open transaction. A concurrent request
 * with the same key waits for the first one's commit. Throws Problem `key-reused`.
 */
export async function runOnce(
  db: Database,
  request: WriteRequest,
  run: (db: Database) => Promise<Answer>,
): Promise<Replayable> {
  const { merchantId, key, now } = request
  const requestHash = hashRequest(request)
  const mine = and(eq(storedAnswers.merchantId, merchantId), eq(storedAnswers.key, key))
  const inserted = await db
    .insert(storedAnswers)
    .values({ merchantId, key, requestHash, at: now })
    .onConflictDoNothing()
    .returning({ key: storedAnswers.key })
  if (inserted.length === 0) {
    const [stored] = await db.select().from(storedAnswers).where(mine).limit(1)
    if (!stored)
      throw new Problem('unavailable', 'The first request with this Idempotency-Key has not ended. Try again.')
    if (stored.requestHash !== requestHash)
      throw new Problem('key-reused', 'This Idempotency-Key was used for another request.')
    return { ...trustStored(stored.answer), replayed: true }
  }
  const outcome = await runToOutcome(db, run)
  await db
    .update(storedAnswers)
    .set({ answer: withoutSecrets(outcome) })
    .where(mine)
  return { ...outcome, replayed: false }
}
