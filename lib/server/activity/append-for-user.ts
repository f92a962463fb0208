import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { defaultConnectionId } from '../store/default-connection'
import { connections, memberships, users } from '../store/schema'
import { type ActivityEntry, appendActivities } from './append-activity'

/** Somebody by id, or by e-mail where that is all that is known of them. */
type Person = { userId: string } | { email: string }

/** What somebody's account did; it belongs to them and not to one merchant. */
export type UserEntry = Omit<ActivityEntry, 'connectionId'> & { person: Person }

async function findMerchants(tx: Database, person: Person): Promise<string[]> {
  const rows = await tx
    .select({ connectionId: memberships.connectionId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where('userId' in person ? eq(users.id, person.userId) : eq(users.email, person.email))
    .orderBy(asc(memberships.connectionId))
  return rows.map(({ connectionId }) => connectionId)
}

/**
 * Appends such a thing, a sign-in before all, to the log of each merchant that they work for: there their
 * admins look for it, and nobody else's. Who works for none, or is not known, stands in the log of the settings' own
 * merchant. To be called as appendActivities.
 */
export async function appendForUser(tx: Database, { person, ...entry }: UserEntry): Promise<void> {
  const merchants = await findMerchants(tx, person)
  const places = merchants.length > 0 ? merchants : [defaultConnectionId]
  await appendActivities(
    tx,
    places.map((connectionId) => ({ ...entry, connectionId })),
  )
}
