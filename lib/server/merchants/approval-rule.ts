import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { ApprovalRule } from '@/lib/domain/cancellations/approval'
import { appendActivity } from '../activity-log/append'
import { lockAdministrator } from '../auth/lock-access'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { connections } from '../store/schema'

/**
 * Sets the merchant's four-eyes rule; null switches it off. What already awaits approval still needs it. Throws AppError as
 * `lockAdministrator`.
 */
export async function changeApprovalRule(db: Database, session: Session, rule: ApprovalRule | null): Promise<void> {
  const { connectionId } = session.scope
  await db.transaction(async (tx) => {
    await lockAdministrator(tx, session)
    const own = and(eq(connections.connectionId, connectionId), isNull(connections.removedAt))
    const [before] = await tx.select({ approval: connections.approval }).from(connections).where(own).for('update')
    if (!before) throw new AppError('not-found')
    await tx.update(connections).set({ approval: rule }).where(own)
    const entry = { connectionId, action: 'setting.approval-rule', objectKind: 'setting', objectId: connectionId }
    await appendActivity(tx, { ...entry, details: { before: before.approval, after: rule } })
  })
}
