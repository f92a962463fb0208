import { and, eq, isNull } from 'drizzle-orm'
import { getRolesWithin, type Role } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import type { ProvenFactor } from '@/lib/domain/second-factor'
import { AppError } from '../runtime/app-error'
import { connections, memberships, sessions } from '../store/schema'
import type { Session } from './session'
import { isRole } from './sessions'
import { lockAccount } from './users'

/**
 * Locks what a change is made by until it is stored: the role may have been taken away, the merchant removed or the sign-in
 * ended since the request was authorized. Locked in the order in which a removal ends them. Throws AppError 'forbidden' unless
 * the person still has the role, 'not-found' and 'signed-out'.
 */
export async function lockAccess(
  tx: Database,
  { sessionId, userId, scope }: Session,
  role: Role,
): Promise<{ factor: ProvenFactor | null }> {
  const [member] = await tx
    .select({ role: memberships.role, removedAt: connections.removedAt })
    .from(memberships)
    .innerJoin(connections, eq(connections.connectionId, memberships.connectionId))
    .where(and(eq(memberships.userId, userId), eq(memberships.connectionId, scope.connectionId)))
    .for('share', { of: memberships })
  if (!member || !isRole(member.role) || !getRolesWithin(member.role).includes(role)) throw new AppError('forbidden')
  if (member.removedAt) throw new AppError('not-found')
  const [signIn] = await tx
    .select({ factor: sessions.factor })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
    .for('share')
  if (!signIn) throw new AppError('signed-out')
  return signIn
}

/**
 * The same, with the account, for what an admin changes of the merchant. Call it first. What locks other accounts too locks
 * all of them, and then calls `lockAccess`: a sign-in as somebody else locks its account before it ends the browser's previous
 * session. Throws AppError as `lockAccess`.
 */
export async function lockAdministrator(tx: Database, session: Session): Promise<{ factor: ProvenFactor | null }> {
  await lockAccount(tx, session.userId)
  return lockAccess(tx, session, 'admin')
}
