import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { ApprovalRule } from '@/lib/domain/cancellations/approval'
import { appendActivity } from '../activity-log/append'
import type { TenantScope } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { connections } from '../store/schema'

/**
 * Sets the merchant's four-eyes rule; null switches it off. What already awaits approval still needs it. Throws AppError
 * 'not-found' if the merchant was removed.
 */
export async function changeApprovalRule(
  db: Database,
  { connectionId }: TenantScope,
  rule: ApprovalRule | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const own = and(eq(connections.connectionId, connectionId), isNull(connections.removedAt))
    const [before] = await tx.select({ approval: connections.approval }).from(connections).where(own).for('update')
    if (!before) throw new AppError('not-found')
    await tx.update(connections).set({ approval: rule }).where(own)
    const entry = { connectionId, action: 'setting.approval-rule', objectKind: 'setting', objectId: connectionId }
    await appendActivity(tx, { ...entry, details: { before: before.approval, after: rule } })
  })
}
