import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { databaseTime } from '@/lib/database/store-clock'
import { appendActivity } from './activity/append-activity'
import { Failure } from './failure'
import { verifyPassword } from './password'
import type { Session } from './session'
import { sessions, users } from './store/schema'
import { forgiveAttempts, reserveAttempt } from './throttle'

/**
 * Takes the password of somebody who is signed in as proof that it is still them, for `requireRecentPassword`.
 * Counted as a guess at a sign-in is. Throws Failure 'too-many-attempts' and 'wrong-password', which is written down.
 */
export async function provePassword(
  db: Database,
  session: Session,
  { password, peer }: { password: string; peer: string },
  now: Date,
): Promise<void> {
  // Counted by session: nobody outside can use its guesses up, and only the password makes another session.
  const guess = { account: session.email, peer, device: session.sessionId }
  const reservation = await reserveAttempt(db, guess, now)
  if (!reservation.allowed) throw new Failure('too-many-attempts', { retryAfter: reservation.retryAfter })
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
  if (!isRight) throw new Failure('wrong-password')
  await forgiveAttempts(db, guess, reservation.ids)
}
