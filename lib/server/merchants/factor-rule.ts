import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull } from 'drizzle-orm'
import { type Role, roles } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import type { FactorRuleChange } from '@/lib/domain/second-factor'
import { appendActivity } from '../activity-log/append'
import { lockAdministrator } from '../auth/lock-access'
import type { Session, TenantScope } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { connections } from '../store/schema'
import * as m from '@/lib/messages/m'

/** The roles of a merchant whose people need a second factor. */
export async function readFactorRule(db: Database, { connectionId }: TenantScope): Promise<Role[]> {
  const [own] = await db
    .select({ required: connections.factorRoles })
    .from(connections)
    .where(eq(connections.connectionId, connectionId))
  return own?.required ?? []
}

/**
 * Sets the roles whose people need a second factor, from their next request on. Throws AppError 'not-possible' when the
 * admin would be shut out: whoever requires it of their own role has to have proven one; 'conflict' where the roles are no
 * longer those that were shown. Throws also as `lockAdministrator`.
 */
export async function changeFactorRule(db: Database, session: Session, change: FactorRuleChange): Promise<void> {
  const { connectionId } = session.scope
  await db.transaction(async (tx) => {
    const { factor } = await lockAdministrator(tx, session)
    const own = and(eq(connections.connectionId, connectionId), isNull(connections.removedAt))
    const [stored] = await tx
      .select({ factorRoles: connections.factorRoles })
      .from(connections)
      .where(own)
      .for('update')
    if (!stored) throw new AppError('not-found')
    if (change.roles.includes('admin') && factor === null)
      throw new AppError('not-possible', { detail: m.secondFactor_addYourOwnFirst() })
    const [now, before, after] = [stored.factorRoles, change.before, change.roles].map((chosen) =>
      roles.filter((role) => chosen.includes(role)),
    )
    // Also where the same request was sent before, and its reply lost.
    if (isDeepStrictEqual(now, after)) return
    if (!isDeepStrictEqual(now, before)) throw new AppError('conflict', { detail: m.refusals_changedSinceItWasShown() })
    await tx.update(connections).set({ factorRoles: after }).where(own)
    await appendActivity(tx, {
      connectionId,
      action: 'setting.factor-rule',
      objectKind: 'setting',
      objectId: connectionId,
      details: { before, after },
    })
  })
}
