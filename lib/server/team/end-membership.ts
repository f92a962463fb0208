import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { memberships } from '../store/schema'
import { endSessionsOf } from '../users'
import { endPasswordLinks } from './password-links'

/**
 * Takes somebody out of a merchant's team; from their next request on the merchant does not exist for them. Sign-ins
 * stay for other merchants, and end where there are none; the account stays for the record. Within `lockTeams`; answers
 * whether they were in the team.
 */
export async function endMembership(tx: Database, connectionId: string, userId: string, now: Date): Promise<boolean> {
  const ended = await tx
    .delete(memberships)
    .where(and(eq(memberships.connectionId, connectionId), eq(memberships.userId, userId)))
    .returning({ userId: memberships.userId })
  if ((await tx.$count(memberships, eq(memberships.userId, userId))) === 0) {
    await endSessionsOf(tx, userId, now)
    await endPasswordLinks(tx, userId, now)
  }
  return ended.length > 0
}
