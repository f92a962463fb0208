import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { endSessionsOf } from '../auth/users'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { queueFactorMail } from '../mail/security-mails'
import { removeAllFactors } from '../second-factor/factors'
import { isOwnFactor } from '../second-factor/prove-factor'
import { authenticators, factorResets } from '../store/factor-schema'
import { memberships, users } from '../store/schema'
import { assertOwnAccount, changeMember, logAccountChange, logMemberChange } from './commands'
import * as m from '@/lib/messages/m'

const LIFETIME_MS = 24 * 60 * 60_000

/** The open request of another admin of the merchant. Without the admin it counts for nothing. */
async function findOthersRequest(tx: Database, session: Session, userId: string, now: Date): Promise<boolean> {
  const { connectionId } = session.scope
  const [request] = await tx
    .select({ requestedBy: factorResets.requestedBy })
    .from(factorResets)
    .innerJoin(
      memberships,
      and(eq(memberships.userId, factorResets.requestedBy), eq(memberships.connectionId, connectionId)),
    )
    .innerJoin(users, eq(users.id, factorResets.requestedBy))
    .where(
      and(
        eq(factorResets.userId, userId),
        eq(factorResets.connectionId, connectionId),
        eq(memberships.role, 'admin'),
        gt(factorResets.expiresAt, now),
        isNull(users.disabledAt),
      ),
    )
  return request !== undefined && request.requestedBy !== session.userId
}

/**
 * Resets somebody's second factor, which takes two admins: the first asks for it, the second within a day does it; all
 * sign-ins of the account end. Neither may be the person. Returns whether it was done. Throws AppError 'step-up',
 * 'not-found', 'not-possible' and 'shared-account'.
 */
export function resetFactor(session: Session, userId: string, now = new Date()): Promise<boolean> {
  return changeMember(session, userId, async (tx, member) => {
    if (userId === session.userId) throw new AppError('not-possible', { detail: m.secondFactor_notYourOwnReset() })
    await assertOwnAccount(tx, session, userId)
    if ((await tx.$count(authenticators, isOwnFactor(userId))) === 0)
      throw new AppError('not-possible', { detail: m.secondFactor_hasNone() })
    const isApproved = await findOthersRequest(tx, session, userId, now)
    await tx.delete(factorResets).where(eq(factorResets.userId, userId))
    if (isApproved) {
      await endSessionsOf(tx, userId, now)
      await removeAllFactors(tx, userId, now)
    } else {
      const { connectionId } = session.scope
      const expiresAt = new Date(now.getTime() + LIFETIME_MS)
      await queueFactorMail(tx, userId, 'resetRequested', now)
      await tx.insert(factorResets).values({ userId, connectionId, requestedBy: session.userId, expiresAt })
    }
    if (isApproved) await logAccountChange(tx, session, 'user.factor-reset', member, now)
    else await logMemberChange(tx, session, 'user.factor-reset-requested', member.email, {}, now)
    return isApproved
  })
}

/** Withdraws or declines the request to reset somebody's second factor. Throws AppError 'step-up' and 'not-found'. */
export function withdrawFactorReset(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    const removed = await tx
      .delete(factorResets)
      .where(and(eq(factorResets.userId, userId), eq(factorResets.connectionId, session.scope.connectionId)))
      .returning({ userId: factorResets.userId })
    if (removed.length === 0) throw new AppError('not-found')
    await logMemberChange(tx, session, 'user.factor-reset-withdrawn', member.email, {}, now)
  })
}
