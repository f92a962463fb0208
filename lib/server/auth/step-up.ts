import { and, eq, isNull, sql } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { sessions, users } from '../store/schema'
import { requireStore } from '../store/store'
import { verifyPassword } from './passwords'
import type { Session } from './session'
import { forgiveAttempts, reserveAttempt } from './throttle'
import { changePassword } from './users'
import * as refusals from '@/lib/words/refusals'

/** How long a proven password counts, in milliseconds. */
const recent = 5 * 60_000

/** The AppError 'step-up' for somebody, as `requireRecentPassword` throws it. `why` is told where they could not know. */
export function createStepUpError(account: { passwordHash: string | null } | undefined, why?: string): AppError {
  return new AppError('step-up', {
    detail: [why, refusals.thisNeedsYourPassword].filter(Boolean).join(' '),
    extensions: { proof: account?.passwordHash === null ? 'provider' : 'password', ...(why && { why }) },
  })
}

/**
 * Makes sure that whoever asks has shown in the last five minutes who they are, for what weighs most: bulk
 * cancellation, the team, merchants, callback addresses and whole lists (docs/decisions/0123-limits-for-people.md). Throws AppError 'step-up', whose record says `proof`: `password` is asked for
 * again (POST /api/desk/sessions/current/proof), `provider` means to sign in again where the account comes from.
 */
export async function requireRecentPassword(session: Session, now?: Date): Promise<void> {
  const db = await requireStore()
  const [row] = await db
    .select({
      provenAt: sessions.provenAt,
      // By the clock that it was written by: desks differ.
      age: sql<number>`extract(epoch from ${databaseTime()} - ${sessions.provenAt})::float8 * 1000`,
      passwordHash: users.passwordHash,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, session.sessionId), eq(sessions.userId, session.userId), isNull(sessions.endedAt)))
  const age = row && (now ? now.getTime() - row.provenAt.getTime() : row.age)
  if (age !== undefined && age < recent) return
  throw createStepUpError(row)
}

/**
 * Takes the password of somebody who is signed in as proof that it is still them, for `requireRecentPassword`.
 * Counted as a guess at a sign-in is. Throws AppError 'too-many-attempts' and 'wrong-password', which is written down.
 */
export async function confirmPassword(
  db: Database,
  session: Session,
  { password, peer }: { password: string; peer: string },
  now: Date,
): Promise<void> {
  // Counted by session: nobody outside can use its guesses up, and only the password makes another session.
  const guess = { account: session.email, peer, device: session.sessionId }
  const reservation = await reserveAttempt(db, guess, now)
  if (!reservation.allowed) throw new AppError('too-many-attempts', { retryAfter: reservation.retryAfter })
  const [user] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, session.userId))
  const isRight = await verifyPassword(user?.hash ?? null, password)
  await db.transaction(async (transaction) => {
    if (isRight) {
      await transaction
        .update(sessions)
        .set({ provenAt: databaseTime() })
        .where(and(eq(sessions.id, session.sessionId), isNull(sessions.endedAt)))
    }
    await appendActivity(transaction, {
      connectionId: session.scope.connectionId,
      at: now,
      actor: session.email,
      action: isRight ? 'session.proven' : 'session.proof-refused',
      objectKind: 'session',
      objectId: session.sessionId,
      details: { from: peer },
    })
  })
  if (!isRight) throw new AppError('wrong-password')
  await forgiveAttempts(db, guess, reservation.ids)
}

/**
 * Changes one's own password: the old one is asked for, all other sign-ins end, this one goes on (SE-07). Throws
 * AppError 'wrong-password', 'too-many-attempts', and 'bad-request' (errors under `password`).
 */
export async function changeOwnPassword(
  session: Session,
  { current, password, peer }: { current: string; password: string; peer: string },
  now = new Date(),
): Promise<void> {
  const db = await requireStore()
  await confirmPassword(db, session, { password: current, peer }, now)
  const [user] = await db.select().from(users).where(eq(users.id, session.userId))
  if (!user) throw new AppError('signed-out')
  await changePassword(
    db,
    user,
    password,
    now,
    async (tx) => {
      await appendActivity(tx, {
        connectionId: session.scope.connectionId,
        at: now,
        actor: session.email,
        action: 'user.password-changed',
        objectKind: 'user',
        objectId: session.email,
        details: {},
      })
    },
    session.sessionId,
  )
}
