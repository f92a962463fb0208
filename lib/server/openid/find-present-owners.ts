import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { cancellations } from '../store/schema'
import { findProviderTokens } from './provider-tokens'

/** Of these users, those with whose access token the service can be asked now. */
export async function whoIsPresent(db: Database, userIds: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>()
  for (const userId of new Set(userIds)) {
    if (await findProviderTokens(db, { userId }, new Date())) present.add(userId)
  }
  return present
}

/** Users with open cancellations at a connection who are signed in: the work of all others waits for them. */
export async function findPresentOwners(db: Database, connectionId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: cancellations.userId })
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), isNull(cancellations.closedAt)))
  return [
    ...(await whoIsPresent(
      db,
      rows.map(({ userId }) => userId),
    )),
  ]
}
