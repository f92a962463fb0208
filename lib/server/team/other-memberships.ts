import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { Session } from '../auth/session'
import { connections, memberships } from '../store/schema'

/** Who works for other merchants than the session's, once per merchant, and whether the session's user administers it. */
export function listOtherMemberships(
  db: Database,
  { scope, userId }: Pick<Session, 'scope' | 'userId'>,
  isMeant: SQL | undefined,
): Promise<{ userId: string; isOwn: boolean }[]> {
  return db
    .select({
      userId: memberships.userId,
      isOwn: sql<boolean>`exists (select 1 from ${memberships} as mine where mine.user_id = ${userId} and mine.role = 'admin' and mine.connection_id = ${memberships.connectionId})`,
    })
    .from(memberships)
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(and(isMeant, ne(memberships.connectionId, scope.connectionId)))
}
