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

import * as m from '@/lib/messages/m'
const PROOF_LIFETIME_MS = 5 * 60_000

/** The AppError 'step-up' of `requireRecentPassword`. `why` is added where the reason isn't obvious. */
export function createStepUpError(account: { passwordHash: string | null } | undefined, why?: string): AppError {
  return new AppError('step-up', {
    detail: [why, m.refusals_thisNeedsYourPassword()].filter(Boolean).join(' '),
    extensions: { proof: account?.passwordHash === null ? 'provider' : 'password', ...(why && { why }) },
  })
}

/**
 * Requires that the user has authenticated within the last five minutes, for the most consequential actions: bulk
 * cancellation, the team, merchants, callback addresses and whole lists (docs/decisions/0123-limits-for-people.md).
 * Throws AppError 'step-up' with `proof`: `password` is entered again (POST /api/desk/sessions/current/proof),
 * `provider` means signing in again at the OpenID provider.
 */
export async function requireRecentPassword(session: Session, now?: Date): Promise<void> {
  const db = await requireStore()
  const [row] = await db
    .select({
      provenAt: sessions.provenAt,
      // By the database's clock, which wrote it; the clocks of desks differ.
      age: sql<number>`extract(epoch from ${databaseTime()} - ${sessions.provenAt})::float8 * 1000`,
      passwordHash: users.passwordHash,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, session.sessionId), eq(sessions.userId, session.userId), isNull(sessions.endedAt)))
  const age = row && (now ? now.getTime() - row.provenAt.getTime() : row.age)
  if (age !== undefined && age < PROOF_LIFETIME_MS) return
  throw createStepUpError(row)
}

/**
 * Verifies the password of a signed-in user for `requireRecentPassword`, counted like an attempt to sign in. Throws
 * AppError 'too-many-attempts' and 'wrong-password'; both outcomes are logged.
 */
export async function confirmPassword(
  db: Database,
  session: Session,
  { password, peer }: { password: string; peer: string },
  now: Date,
): Promise<void> {
  // Counted per session: outsiders cannot exhaust these attempts, and only the password creates another session.
  const attempt = { account: session.email, peer, device: session.sessionId }
  const reservation = await reserveAttempt(db, attempt, now)
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
  await forgiveAttempts(db, attempt, reservation.ids)
}

/**
 * Changes the user's own password after verifying the old one; all other sign-ins end (SE-07). Throws AppError
 * 'wrong-password', 'too-many-attempts' and 'bad-request' (errors under `password`).
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
