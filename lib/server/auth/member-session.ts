import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { connections, memberships, users } from '../store/schema'
import type { Session } from './session'
import { isRole } from './sessions'
import { createTenantScope } from './tenant-scope'

/**
 * A person as a session for work that the desk does in their name, with the role they have now; null as soon as they may
 * not work for the merchant any more.
 */
export async function findMemberSession(
  db: Database,
  { connectionId, userId }: { connectionId: string; userId: string },
): Promise<Session | null> {
  const [member] = await db
    .select({ email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(connections, eq(connections.connectionId, memberships.connectionId))
    .where(
      and(
        eq(memberships.connectionId, connectionId),
        eq(memberships.userId, userId),
        isNull(users.disabledAt),
        isNull(connections.removedAt),
      ),
    )
  if (!member || !isRole(member.role)) return null
  return { sessionId: '', userId, email: member.email, role: member.role, scope: createTenantScope(connectionId) }
}
