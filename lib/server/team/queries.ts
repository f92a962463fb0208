import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { type Role, roles } from '@/lib/api-contract/permission'
import type { MemberState, Team, TeamMember } from '@/lib/domain/accounts'
import type { Session } from '../auth/session'
import { absoluteLifetime, idleLifetime } from '../auth/session-cookie'
import { requireStore } from '../store/store'
import { memberships, sessions, users } from '../store/schema'
import { passwordLinks } from '../store/auth-schema'
import { factorResets, hasFactor, countsAsSignIn, lastSeen } from '../store/factor-schema'
import { readFactorRule } from '../merchants/factor-rule'
import { mails } from '../store/mail-schema'
import { providesAccount } from './last-admin'
import { listOtherMemberships } from './other-memberships'
import { linkMailPrefix } from './password-links'

/** A role of a later version grants nothing; it is shown as the weakest. */
function readRole(value: string): Role {
  return roles.find((role) => role === value) ?? 'viewer'
}

function readState(row: { disabledAt: Date | null; hasPassword: boolean; provided: boolean }): MemberState {
  if (row.disabledAt) return 'disabled'
  if (row.hasPassword) return 'active'
  return row.provided ? 'provider' : 'invited'
}

/** The members of a merchant's team, by e-mail. */
export async function listTeam(session: Pick<Session, 'scope' | 'userId'>, now = new Date()): Promise<Team> {
  const { scope, userId } = session
  const { connectionId } = scope
  const db = await requireStore()
  const isLive = and(
    isNull(sessions.endedAt),
    countsAsSignIn,
    gt(sessions.lastSeenAt, new Date(now.getTime() - idleLifetime * 1_000)),
    gt(sessions.createdAt, new Date(now.getTime() - absoluteLifetime * 1_000)),
  )
  const rows = await db
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      isRoleProvided: memberships.fromProvider,
      demo: users.demo,
      disabledAt: users.disabledAt,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      provided: providesAccount(users.id),
      hasFactor,
      lastSeenAt: lastSeen,
      sessions: sql<number>`count(*) filter (where ${isLive})`.mapWith(Number),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .where(eq(memberships.connectionId, connectionId))
    .groupBy(users.id, memberships.role, memberships.fromProvider)
    .orderBy(users.email)
  const links = await db
    .select({ userId: passwordLinks.userId, expiresAt: passwordLinks.expiresAt, mail: mails.state })
    .from(passwordLinks)
    .innerJoin(
      memberships,
      and(eq(memberships.userId, passwordLinks.userId), eq(memberships.connectionId, connectionId)),
    )
    .leftJoin(mails, eq(mails.key, sql`${linkMailPrefix}::text || ${passwordLinks.id}`))
    .where(and(isNull(passwordLinks.endedAt), gt(passwordLinks.expiresAt, now)))
  const requests = await db
    .select({
      userId: factorResets.userId,
      requestedBy: users.email,
      requesterId: users.id,
      expiresAt: factorResets.expiresAt,
    })
    .from(factorResets)
    .innerJoin(users, eq(users.id, factorResets.requestedBy))
    .where(and(eq(factorResets.connectionId, connectionId), gt(factorResets.expiresAt, now)))
  const resets = new Map(
    requests.map(({ userId: whose, requestedBy, requesterId, expiresAt }) => [
      whose,
      { requestedBy, expiresAt: expiresAt.toISOString(), isOwn: requesterId === userId },
    ]),
  )
  const ids = rows.map((row) => row.userId)
  const others = await listOtherMemberships(db, session, inArray(memberships.userId, ids))
  const shared = new Set(others.filter(({ isOwn }) => !isOwn).map((other) => other.userId))
  const linkOf = new Map(links.map((link) => [link.userId, link]))
  const members = rows.map(
    (row): TeamMember => ({
      userId: row.userId,
      email: row.email,
      role: readRole(row.role),
      isRoleProvided: row.isRoleProvided,
      state: readState(row),
      isShared: shared.has(row.userId),
      demo: row.demo,
      lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
      sessions: row.disabledAt ? 0 : row.sessions,
      hasFactor: row.hasFactor,
      factorReset: resets.get(row.userId) ?? null,
      linkUntil: linkOf.get(row.userId)?.expiresAt.toISOString() ?? null,
      linkMail: linkOf.get(row.userId)?.mail ?? null,
    }),
  )
  return { members, factorRoles: await readFactorRule(db, scope) }
}
