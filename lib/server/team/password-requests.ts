import { and, asc, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { appendUserActivity } from '../activity-log/append'
import { reserveAttempt } from '../auth/throttle'
import { canonicalEmail, findAccount, lockAccount } from '../auth/users'
import { isMailable } from '../mail/outbox'
import { AppError } from '../runtime/app-error'
import { passwordLinks } from '../store/auth-schema'
import { passwordRequests } from '../store/mail-schema'
import { connections, memberships, users } from '../store/schema'
import { providesAccount } from './last-admin'
import { makePasswordLink } from './password-links'

/** Nobody can fill another's mailbox, or end the link that they are just using. */
const PAUSE_MS = 10 * 60_000
/** Nor write without end. The last link of a day outlives the wait for the next one. */
const DAY_MS = 24 * 60 * 60_000
/** The page says so, whoever asks (`linkComesIfAccount`). */
const MAX_PER_DAY = 5
/** One that no desk has looked at by then is asked for again. */
const LIFETIME_MS = 60 * 60_000
const MAX_PER_PASS = 200

/**
 * Notes that a new password is asked for with an e-mail address, as typed. It takes the same steps whether or not there
 * is such an account; a worker looks later. Counted like an attempt to sign in: throws AppError 'too-many-attempts'.
 */
export async function requestPassword(
  db: Database,
  { email, peer }: { email: string; peer: string },
  now = new Date(),
): Promise<void> {
  const canonical = canonicalEmail(email)
  // Apart from wrong passwords: asking must not keep the owner from signing in.
  const reservation = await reserveAttempt(db, { purpose: 'new password', account: canonical ?? email, peer }, now)
  if (!reservation.allowed) throw new AppError('too-many-attempts', { retryAfter: reservation.retryAfter })
  if (canonical) await db.insert(passwordRequests).values({ email: canonical })
}

async function mayHaveLink(tx: Database, userId: string, email: string): Promise<boolean> {
  const countSince = (milliseconds: number) =>
    tx.$count(
      passwordLinks,
      and(
        eq(passwordLinks.userId, userId),
        eq(passwordLinks.madeBy, email),
        gt(passwordLinks.createdAt, databaseTime(-milliseconds)),
      ),
    )
  return (await countSince(PAUSE_MS)) === 0 && (await countSince(DAY_MS)) < MAX_PER_DAY
}

/** The merchant that a new invitation names: by name the first that the account works for. */
async function findFirstMerchant(tx: Database, userId: string): Promise<string | undefined> {
  const [first] = await tx
    .select({ connectionId: connections.connectionId })
    .from(memberships)
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(connections.name))
    .limit(1)
  return first?.connectionId
}

/** Mails a link to the account of this e-mail, if it has a password here or is still invited, and had few enough. */
async function answerRequest(tx: Database, email: string, now: Date): Promise<void> {
  const account = await findAccount(tx, email)
  if (!account) return
  const [found] = await tx
    .select({ provided: providesAccount(users.id) })
    .from(users)
    .where(eq(users.id, account.id))
  // Another desk may be answering the same person, or an admin disabling them.
  const locked = await lockAccount(tx, account.id)
  if (!locked || locked.disabledAt) return
  const hasPassword = locked.passwordHash !== null
  if (!found || (found.provided && !hasPassword) || !isMailable(email)) return
  if (!(await mayHaveLink(tx, account.id, email))) return
  const user = { id: account.id, email }
  const kind = hasPassword ? 'reset' : 'invitation'
  const connectionId = await findFirstMerchant(tx, account.id)
  const { expiresAt } = await makePasswordLink(tx, { user, kind, madeBy: email, connectionId }, now)
  await appendUserActivity(tx, {
    person: { userId: account.id },
    at: now,
    // Anybody may have asked; the owner is who gets the link.
    actor: 'unknown',
    action: `user.${kind}-link-made`,
    objectKind: 'user',
    objectId: email,
    details: { expiresAt },
  })
}

/** Looks at what was asked for, each on its own; two desks share them. Throws store errors. */
export async function answerPasswordRequests(db: Database, now = new Date()): Promise<void> {
  await db.delete(passwordRequests).where(lt(passwordRequests.createdAt, databaseTime(-LIFETIME_MS)))
  for (let count = 0; count < MAX_PER_PASS && !globalThis.debitdeskStopping; count += 1) {
    const isOver = await db.transaction(async (tx) => {
      const next = tx
        .select({ id: passwordRequests.id })
        .from(passwordRequests)
        .orderBy(asc(passwordRequests.createdAt))
        .limit(1)
        .for('update', { skipLocked: true })
      const [taken] = await tx.delete(passwordRequests).where(inArray(passwordRequests.id, next)).returning()
      if (taken) await answerRequest(tx, taken.email, now)
      return taken === undefined
    })
    if (isOver) return
  }
}
