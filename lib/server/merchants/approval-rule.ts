import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { ApprovalRuleChange } from '@/lib/domain/cancellations/approval'
import { appendActivity } from '../activity-log/append'
import { lockAdministrator } from '../auth/lock-access'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { connections } from '../store/schema'
import * as m from '@/lib/messages/m'

/**
 * Sets the merchant's four-eyes rule; null switches it off. What already awaits approval still needs it. Throws AppError
 * 'conflict' where it is no longer the one that was shown, and as `lockAdministrator`.
 */
export async function changeApprovalRule(
  db: Database,
  session: Session,
  { before, rule }: ApprovalRuleChange,
): Promise<void> {
  const { connectionId } = session.scope
  await db.transaction(async (tx) => {
    await lockAdministrator(tx, session)
    const own = and(eq(connections.connectionId, connectionId), isNull(connections.removedAt))
    const [stored] = await tx.select({ approval: connections.approval }).from(connections).where(own).for('update')
    if (!stored) throw new AppError('not-found')
    // Also where the same request was sent before, and its reply lost.
    if (isDeepStrictEqual(stored.approval, rule)) return
    if (!isDeepStrictEqual(stored.approval, before))
      throw new AppError('conflict', { detail: m.refusals_changedSinceItWasShown() })
    await tx.update(connections).set({ approval: rule }).where(own)
    const entry = { connectionId, action: 'setting.approval-rule', objectKind: 'setting', objectId: connectionId }
    await appendActivity(tx, { ...entry, details: { before: stored.approval, after: rule } })
  })
}
