import { createHash } from 'node:crypto'
import { and, asc, eq, gt, inArray, lt, notLike, or, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { attempts } from '../store/schema'
import { groupPeer } from '../runtime/peer-address'
import { limitRate, type Rate } from '../runtime/limits'

const WINDOW_MS = 15 * 60_000

/** Attempts within the window: at one account from unknown browsers, from one peer, and from one known browser (SE-11). */
const MAX_PER_ACCOUNT = 10
const MAX_PER_PEER = 100
const MAX_PER_DEVICE = 10

/**
 * The source of an attempt. `account` is the canonical e-mail (or whatever was typed), `peer` the client's address.
 * `device` is a browser that signed in to this account before, or a valid session: it has its own limit, so that nobody
 * can lock the owner out by guessing from elsewhere (SE-12).
 */
export type Guess = {
  /** What is guessed. Attempts at one are not counted for another, whatever is typed. */
  purpose: 'password' | 'code' | 'recovery code' | 'passkey' | 'new password' | 'api token'
  account: string
  peer: string
  device?: string | null
}

/** Whether an attempt is allowed; a reservation counts as a failed attempt until it is forgiven. */
export type Reservation =
  | { allowed: true; ids: readonly string[] }
  | { allowed: false; retryAfter: number; lockedOut: LockedOut }

/** Whose limit is exhausted: the peer's, whatever account was named, else the account's. */
export type LockedOut = 'account' | 'peer'

/** Codes have only a million values: the wrong ones of a day are limited too, wherever they come from. */
const DAY_MS = 24 * 60 * 60_000
const MAX_CODES_PER_DAY = 50
const DAY_PREFIX = 'day'

type Limit = { kind: 'account' | 'peer' | 'device' | typeof DAY_PREFIX; key: string; most: number; window: number }

/** What a person may do only so often in an hour, whichever desk they reach. */
type Use = 'export' | 'list'

/** Keys are hashed, because people also type passwords into the e-mail field. */
function makeKey(kind: Limit['kind'], purpose: Guess['purpose'] | Use, value: string): string {
  return `${kind}:${createHash('sha256').update(`${purpose}\0${value}`).digest('base64url')}`
}

/** When something was counted within the window, in milliseconds, oldest first. */
async function readCounted(db: Database, key: string, windowMs: number, now: number): Promise<number[]> {
  const counted = await db
    .select({ at: attempts.at })
    .from(attempts)
    .where(and(eq(attempts.key, key), gt(attempts.at, new Date(now - windowMs))))
    .orderBy(asc(attempts.at))
  return counted.map(({ at }) => at.getTime())
}

/** Milliseconds until an attempt is allowed under this limit; 0 when it is now. */
async function readWait(db: Database, { key, most, window }: Limit, now: number): Promise<number> {
  const counted = await readCounted(db, key, window, now)
  const blocking = counted[counted.length - most]
  return blocking === undefined ? 0 : blocking + window - now
}

function listLimits({ purpose, account, peer, device }: Guess): Limit[] {
  const limit = (kind: Limit['kind'], value: string, most: number, window = WINDOW_MS): Limit => ({
    kind,
    key: makeKey(kind, purpose, value),
    most,
    window,
  })
  const ofDay = purpose === 'code' ? [limit(DAY_PREFIX, account, MAX_CODES_PER_DAY, DAY_MS)] : []
  if (device) return [limit('device', device, MAX_PER_DEVICE), ...ofDay]
  // Whoever signs in with a passkey or sends a token names no account.
  const ofAccount = purpose === 'passkey' || purpose === 'api token' ? [] : [limit('account', account, MAX_PER_ACCOUNT)]
  return [...ofAccount, limit('peer', groupPeer(peer), MAX_PER_PEER), ...ofDay]
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot pass together. Refused attempts are not
 * counted, so retrying doesn't prolong the wait; `retryAfter` is in whole seconds.
 */
export function reserveAttempt(db: Database, guess: Guess, now: Date): Promise<Reservation> {
  const limits = listLimits(guess)
  return db.transaction(async (transaction) => {
    // Serialised per key, also across desks on one store; locked in a fixed order, so without deadlocks.
    for (const { key } of limits) {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    }
    await transaction
      .delete(attempts)
      .where(
        and(
          lt(attempts.at, new Date(now.getTime() - WINDOW_MS)),
          or(notLike(attempts.key, `${DAY_PREFIX}:%`), lt(attempts.at, new Date(now.getTime() - DAY_MS))),
        ),
      )
    let wait = 0
    let lockedOut: LockedOut = 'account'
    for (const limit of limits) {
      const own = await readWait(transaction, limit, now.getTime())
      if (own > 0 && limit.kind === 'peer') lockedOut = 'peer'
      wait = Math.max(wait, own)
    }
    if (wait > 0) return { allowed: false, retryAfter: Math.ceil(wait / 1_000), lockedOut }
    const made = await transaction
      .insert(attempts)
      .values(limits.map(({ key }) => ({ key, at: now })))
      .returning({ id: attempts.id })
    return { allowed: true, ids: made.map(({ id }) => id) }
  })
}

/** Takes back what an attempt counted, as it was right. */
export async function withdrawAttempt(db: Database, ids: readonly string[]): Promise<void> {
  await db.delete(attempts).where(inArray(attempts.id, [...ids]))
}

/**
 * After the right password, removes this attempt and earlier ones of the same source: of the known browser, else of the
 * account. Other attempts of the peer stay, and so do those of strangers at a known browser's account.
 */
export async function forgiveAttempts(
  db: Database,
  { account, device }: Pick<Guess, 'account' | 'device'>,
  ids: readonly string[],
): Promise<void> {
  const key = device ? makeKey('device', 'password', device) : makeKey('account', 'password', account)
  await db.transaction(async (transaction) => {
    await withdrawAttempt(transaction, ids)
    await transaction.delete(attempts).where(eq(attempts.key, key))
  })
}

/**
 * Counts something that a person does, in the store and so for all desks together. Throws AppError 'too-many-attempts' with
 * the time until there is room, as limitRate does; then nothing is counted. The window is a day at most.
 */
export async function countUse(
  db: Database,
  { use, userId }: { use: Use; userId: string },
  rate: Rate,
  now = Date.now(),
): Promise<void> {
  const key = makeKey(DAY_PREFIX, use, userId)
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    limitRate(await readCounted(transaction, key, rate.windowMs, now), rate, now)
    await transaction.insert(attempts).values({ key, at: new Date(now) })
  })
}
