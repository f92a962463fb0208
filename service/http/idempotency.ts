import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { HandlerReply } from './handler'
import { Problem, type ProblemCode, type ProblemExtras } from './problem'
import { storedAnswers } from '../store/schema'

/** The write that a key identifies: the same key with another method, path, body or `Prefer: new-secret` is refused. */
export type WriteRequest = {
  merchantId: string
  key: string
  method: string
  path: string
  body: unknown
  wantsSecret: boolean
  now: Date
}

/** A stored reply: a success, or a Problem that the handler threw. */
export type StoredReply =
  | { kind: 'answer'; answer: HandlerReply }
  | { kind: 'problem'; code: ProblemCode; detail: string; extras: ProblemExtras }

export type Replayable = StoredReply & { replayed: boolean }

/** Visible ASCII, as in a header value. UUIDs are customary but not required. */
const keyPattern = /^[\x21-\x7e]{1,255}$/u

/** Parses the Idempotency-Key header; undefined if there is none. Throws Problem `idempotency-key`. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && keyPattern.test(header)) return header
  throw new Problem(
    'idempotency-key',
    'An Idempotency-Key is one value of 1 to 255 visible ASCII characters, best a UUID.',
  )
}

/** The same without its time. */
export type KeyedRequest = Omit<WriteRequest, 'now'>

function hashRequest({ method, path, body, wantsSecret }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, body ?? null, ...(wantsSecret ? ['new-secret'] : [])]))
    .digest('hex')
}

/** Only `runOnce` writes rows of `stored_answers`, in this shape. */
function asStoredReply(answer: unknown): StoredReply {
  return answer as StoredReply
}

function withoutSecrets(stored: StoredReply): StoredReply {
  return stored.kind === 'answer' ? { kind: 'answer', answer: { ...stored.answer, once: undefined } } : stored
}

/** Runs a handler in a savepoint, so that a Problem undoes its changes and can still be stored. */
async function runToOutcome(db: Database, run: (db: Database) => Promise<HandlerReply>): Promise<StoredReply> {
  try {
    return { kind: 'answer', answer: await db.transaction(run) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { kind: 'problem', code: error.code, detail: error.detail, extras: error.extras }
  }
}

/** The stored reply to a request with this key; null if there is none. Throws Problem `key-reused`. */
export async function findAnswer(db: Database, request: KeyedRequest): Promise<Replayable | null> {
  const { merchantId, key } = request
  const mine = and(eq(storedAnswers.merchantId, merchantId), eq(storedAnswers.key, key))
  const [stored] = await db.select().from(storedAnswers).where(mine).limit(1)
  if (!stored) return null
  if (stored.requestHash !== hashRequest(request))
    throw new Problem('key-reused', 'This Idempotency-Key was used for another request.')
  return { ...asStoredReply(stored.answer), replayed: true }
}

/**
 * Runs a write once per Idempotency-Key. Its effect and its reply are committed together in the open transaction `db`,
 * and the same key with the same request gets that reply again. A concurrent request with the same key waits for the
 * first one's commit. Throws Problem `key-reused`.
 */
export async function runOnce(
  db: Database,
  request: WriteRequest,
  run: (db: Database) => Promise<HandlerReply>,
): Promise<Replayable> {
  const { merchantId, key, now } = request
  const mine = and(eq(storedAnswers.merchantId, merchantId), eq(storedAnswers.key, key))
  const inserted = await db
    .insert(storedAnswers)
    .values({ merchantId, key, requestHash: hashRequest(request), at: now })
    .onConflictDoNothing()
    .returning({ key: storedAnswers.key })
  if (inserted.length === 0) {
    const stored = await findAnswer(db, request)
    if (!stored)
      throw new Problem('unavailable', 'The first request with this Idempotency-Key has not ended. Try again.')
    return stored
  }
  const outcome = await runToOutcome(db, run)
  await db
    .update(storedAnswers)
    .set({ answer: withoutSecrets(outcome) })
    .where(mine)
  return { ...outcome, replayed: false }
}
