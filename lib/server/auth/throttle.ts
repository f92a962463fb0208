import { createHash } from 'node:crypto'
import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { attempts } from '../store/schema'
import { groupPeer } from '../runtime/peer-address'

/** How far back guesses are counted, in milliseconds. */
const window = 15 * 60_000

/** Guesses within the window: at one account by strangers, from one peer at whatever accounts, by one known browser (SE-11). */
const mostPerAccount = 10
const mostPerPeer = 100
const mostPerDevice = 10

/**
 * Whose guess it is. `account` is the canonical e-mail (or whatever was typed), `peer` the address it came from.
 * `device` names a browser that has signed in to this account before, or a session that holds: it has guesses of its
 * own, so that nobody can lock its owner out by guessing from elsewhere (SE-12).
 */
export type Guess = { account: string; peer: string; device?: string | null }

/** Whether a guess may be made; a reservation counts as a wrong guess until it is forgiven. */
export type Reservation =
  | { allowed: true; ids: readonly string[] }
  | { allowed: false; retryAfter: number; lockedOut: LockedOut }

/** Whose guesses are used up: the peer's where they are, whatever account was named; else those at the account. */
export type LockedOut = 'account' | 'peer'

type Bound = { kind: 'account' | 'peer' | 'device'; key: string; most: number }

/** Addresses are kept as hashes only: people also type passwords into the e-mail field. */
function makeKey(kind: Bound['kind'], value: string): string {
  return `${kind}:${createHash('sha256').update(value).digest('base64url')}`
}

/** Milliseconds until a guess under this bound is allowed again; 0 when it is now. */
async function readWait(db: Database, { key, most }: Bound, now: Date): Promise<number> {
  const counted = await db
    .select({ at: attempts.at })
    .from(attempts)
    .where(and(eq(attempts.key, key), gt(attempts.at, new Date(now.getTime() - window))))
    .orderBy(asc(attempts.at))
  const blocking = counted[counted.length - most]
  return blocking ? blocking.at.getTime() + window - now.getTime() : 0
}

/**
 * Counts a guess before it is made, so that guesses made at the same moment cannot slip through
 * together. A refused guess is not counted, so trying on does not prolong the wait; `retryAfter` is in whole seconds.
 */
export function reserveAttempt(db: Database, { account, peer, device }: Guess, now: Date): Promise<Reservation> {
  const bounds: Bound[] = device
    ? [{ kind: 'device', key: makeKey('device', device), most: mostPerDevice }]
    : [
        { kind: 'account', key: makeKey('account', account), most: mostPerAccount },
        { kind: 'peer', key: makeKey('peer', groupPeer(peer)), most: mostPerPeer },
      ]
  return db.transaction(async (transaction) => {
    // One at a time per key, also between desks on one store; always in the same order, so none waits for ever.
    for (const { key } of bounds) {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    }
    await transaction.delete(attempts).where(lt(attempts.at, new Date(now.getTime() - window)))
    let wait = 0
    let lockedOut: LockedOut = 'account'
    for (const bound of bounds) {
      const own = await readWait(transaction, bound, now)
      if (own > 0 && bound.kind === 'peer') lockedOut = 'peer'
      wait = Math.max(wait, own)
    }
    if (wait > 0) return { allowed: false, retryAfter: Math.ceil(wait / 1_000), lockedOut }
    const made = await transaction
      .insert(attempts)
      .values(bounds.map(({ key }) => ({ key, at: now })))
      .returning({ id: attempts.id })
    return { allowed: true, ids: made.map(({ id }) => id) }
  })
}

/**
 * After the right password: the guess was none, and earlier ones of the same hand are forgotten: the browser's where
 * it is known, else the account's. The peer's others stay, and so do a stranger's at the account of a known browser.
 */
export async function forgiveAttempts(
  db: Database,
  { account, device }: Pick<Guess, 'account' | 'device'>,
  ids: readonly string[],
): Promise<void> {
  const key = device ? makeKey('device', device) : makeKey('account', account)
  await db.transaction(async (transaction) => {
    await transaction.delete(attempts).where(inArray(attempts.id, [...ids]))
    await transaction.delete(attempts).where(eq(attempts.key, key))
  })
}
