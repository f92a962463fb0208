import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { Failure } from '../failure'
import { requireRecentPassword } from '../require-recent-password'
import type { Session } from '../session'
import { requireStore } from '../store/require-store'
import { connections, memberships, users } from '../store/schema'
import { providesAccount } from './provider-account'
import * as refusals from '@/lib/words/refusals'

/** Somebody of the team, as they are at the moment of the change. */
export type Member = {
  userId: string
  email: string
  role: string
  disabledAt: Date | null
  hasPassword: boolean
  provided: boolean
}

/**
 * One change of any team at a time, so that two admins cannot take the last rights from each other: an account may
 * belong to several teams, and locks of each could wait for one another.
 */
export async function lockTeams(tx: Database): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('teams', 0))`)
}

async function findMember(tx: Database, connectionId: string, userId: string): Promise<Member> {
  const [member] = await tx
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      disabledAt: users.disabledAt,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      provided: providesAccount(users.id),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.connectionId, connectionId), eq(memberships.userId, userId)))
  if (!member) throw new Failure('not-found', { detail: refusals.nobodyOfThisTeam })
  return member
}

/**
 * Throws Failure 'shared-account' where somebody also works for a merchant that the admin does not administer: a
 * password link would let one merchant's admin into another's data.
 */
export async function assertOwnAccount(tx: Database, session: Session, userId: string): Promise<void> {
  const [elsewhere] = await tx
    .select({ connectionId: memberships.connectionId })
    .from(memberships)
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(
      and(
        eq(memberships.userId, userId),
        ne(memberships.connectionId, session.scope.connectionId),
        sql`not exists (select 1 from ${memberships} as mine where mine.user_id = ${session.userId} and mine.role = 'admin' and mine.connection_id = ${memberships.connectionId})`,
      ),
    )
    .limit(1)
  if (elsewhere) {
    throw new Failure('shared-account', {
      detail: refusals.thisAccountIsShared,
    })
  }
}

/**
 * Changes something about a member of the session's team: with a recent password, one change at a time, in one
 * transaction with its entry in the activity log. Throws Failure 'step-up', 'not-found' and what `change` throws.
 */
export async function changeMember<Result>(
  session: Session,
  userId: string,
  change: (tx: Database, member: Member) => Promise<Result>,
): Promise<Result> {
  await requireRecentPassword(session)
  const db = await requireStore()
  const { connectionId } = session.scope
  return db.transaction(async (tx) => {
    await lockTeams(tx)
    return change(tx, await findMember(tx, connectionId, userId))
  })
}
