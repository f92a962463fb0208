import { createHash } from 'node:crypto'
import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { attempts } from '../store/schema'
import { groupPeer } from '../runtime/peer-address'

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
export type Guess = { account: string; peer: string; device?: string | null }

/** Whether an attempt is allowed; a reservation counts as a failed attempt until it is forgiven. */
export type Reservation =
  | { allowed: true; ids: readonly string[] }
  | { allowed: false; retryAfter: number; lockedOut: LockedOut }

/** Whose limit is exhausted: the peer's, whatever account was named, else the account's. */
export type LockedOut = 'account' | 'peer'

type Limit = { kind: 'account' | 'peer' | 'device'; key: string; most: number }

/** Keys are hashed, because people also type passwords into the e-mail field. */
function makeKey(kind: Limit['kind'], value: string): string {
  return `${kind}:${createHash('sha256').update(value).digest('base64url')}`
}

/** Milliseconds until an attempt is allowed under this limit; 0 when it is now. */
async function readWait(db: Database, { key, most }: Limit, now: Date): Promise<number> {
  const counted = await db
    .select({ at: attempts.at })
    .from(attempts)
    .where(and(eq(attempts.key, key), gt(attempts.at, new Date(now.getTime() - WINDOW_MS))))
    .orderBy(asc(attempts.at))
  const blocking = counted[counted.length - most]
  return blocking ? blocking.at.getTime() + WINDOW_MS - now.getTime() : 0
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot pass together. Refused attempts are not
 * counted, so retrying doesn't prolong the wait; `retryAfter` is in whole seconds.
 */
export function reserveAttempt(db: Database, { account, peer, device }: Guess, now: Date): Promise<Reservation> {
  const limits: Limit[] = device
    ? [{ kind: 'device', key: makeKey('device', device), most: MAX_PER_DEVICE }]
    : [
        { kind: 'account', key: makeKey('account', account), most: MAX_PER_ACCOUNT },
        { kind: 'peer', key: makeKey('peer', groupPeer(peer)), most: MAX_PER_PEER },
      ]
  return db.transaction(async (transaction) => {
    // Serialised per key, also across desks on one store; locked in a fixed order, so without deadlocks.
    for (const { key } of limits) {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    }
    await transaction.delete(attempts).where(lt(attempts.at, new Date(now.getTime() - WINDOW_MS)))
    let wait = 0
    let lockedOut: LockedOut = 'account'
    for (const limit of limits) {
      const own = await readWait(transaction, limit, now)
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

/**
 * After the right password, removes this attempt and earlier ones of the same source: of the known browser, else of the
 * account. Other attempts of the peer stay, and so do those of strangers at a known browser's account.
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
