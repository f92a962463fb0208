import { and, eq, isNull } from 'drizzle-orm'
import { mayRole } from '@/lib/contract/permission'
import type { Database } from '@/lib/database/open-database'
import { isRole } from '../session-rows'
import type { Session } from '../session'
import { memberships, users } from '../store/schema'

/**
 * Whether whoever started an import may still do so, read afresh: an import outlives the request that began it,
 * and must not outlive the role. Signing out ends nothing; losing the role, or the account, does.
 */
export async function mayStillImport(db: Database, { userId, scope }: Session): Promise<boolean> {
  const [row] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(eq(memberships.userId, userId), eq(memberships.connectionId, scope.connectionId), isNull(users.disabledAt)),
    )
  return row !== undefined && isRole(row.role) && mayRole(row.role, 'manage')
}
