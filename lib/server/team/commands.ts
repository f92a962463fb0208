import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import type { Role } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import type { Invitation, PasswordLink } from '@/lib/domain/accounts'
import { appendActivity, appendUserActivity } from '../activity-log/append'
import { revokeTokensOf } from '../api-tokens/revoke-tokens'
import { lockAccess } from '../auth/lock-access'
import type { Session } from '../auth/session'
import { requireRecentPassword } from '../auth/step-up'
import { canonicalEmail, MAX_EMAIL_LENGTH, endSessionsOf, lockAccount } from '../auth/users'
import { AppError } from '../runtime/app-error'
import { removeAllFactors } from '../second-factor/factors'
import { factorResets } from '../store/factor-schema'
import { connections, memberships, users } from '../store/schema'
import { requireStore } from '../store/store'
import { assertAnotherAdmin, providesAccount } from './last-admin'
import { listOtherMemberships } from './other-memberships'
import { endPasswordLinks, makePasswordLink } from './password-links'
import * as m from '@/lib/messages/m'

/** A team member, read in the transaction that changes it. */
export type Member = {
  userId: string
  email: string
  role: string
  disabledAt: Date | null
  hasPassword: boolean
  provided: boolean
}

/**
 * Serialises changes of all teams, so that two admins cannot remove each other as the last one. One lock for all: an
 * account may belong to several teams, and a lock per team could deadlock.
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
  if (!member) throw new AppError('not-found', { detail: m.refusals_nobodyOfThisTeam() })
  return member
}

/**
 * Throws AppError 'shared-account' when somebody also works for a merchant that the admin doesn't administer: a password
 * link would give one merchant's admin access to another's data. Returns whether they work for any other at all.
 */
export async function assertOwnAccount(
  tx: Database,
  session: Session,
  userId: string,
  detail = m.refusals_thisAccountIsShared,
): Promise<boolean> {
  const others = await listOtherMemberships(tx, session, eq(memberships.userId, userId))
  if (others.some(({ isOwn }) => !isOwn)) throw new AppError('shared-account', { detail: detail() })
  return others.length > 0
}

/**
 * Changes a member of the session's team: requires a recent password and runs `change`, which also logs it, in a
 * serialised transaction. Throws AppError 'step-up', 'not-found', and what `lockAccess` and `change` throw.
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
    await lockAccount(tx, session.userId)
    await lockAccount(tx, userId)
    await lockAccess(tx, session, 'admin')
    return change(tx, await findMember(tx, connectionId, userId))
  })
}

/** Logs an admin's change of a team member, at the end of its transaction. */
export async function logMemberChange(
  tx: Database,
  session: Session,
  action: string,
  email: string,
  details: Record<string, string>,
  now: Date,
): Promise<void> {
  await appendActivity(tx, {
    connectionId: session.scope.connectionId,
    at: now,
    actor: session.email,
    action,
    objectKind: 'user',
    objectId: email,
    details,
  })
}

/**
 * Logs an admin's change of a whole account, at the end of its transaction, with each merchant that its owner works for: the
 * admin administers them all (assertOwnAccount).
 */
export async function logAccountChange(
  tx: Database,
  session: Session,
  action: string,
  { userId, email }: Member,
  now: Date,
): Promise<void> {
  await appendUserActivity(tx, {
    person: { userId },
    at: now,
    actor: session.email,
    action,
    objectKind: 'user',
    objectId: email,
    details: {},
  })
}

/** Ends what somebody asked for as an admin: the resets of others' factors. */
export async function endRequestsOf(tx: Database, connectionId: string, userId: string): Promise<void> {
  await tx
    .delete(factorResets)
    .where(and(eq(factorResets.requestedBy, userId), eq(factorResets.connectionId, connectionId)))
}

/** Whether an account works for no merchant, or only for removed ones. */
export async function isLeftBehind(tx: Database, userId: string): Promise<boolean> {
  const [live] = await tx
    .select({ connectionId: memberships.connectionId })
    .from(memberships)
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(eq(memberships.userId, userId))
    .limit(1)
  return live === undefined
}

/**
 * Makes an account that was left behind as good as new before a team takes it in: whoever made it, or administered it where
 * it was before, may know its password or hold a link, a sign-in, a passkey or a token of it (0009). Where the OpenID
 * provider alone lets its person in, nothing is removed. Returns whether it was done. Call it with the account locked.
 */
export async function startAnew(tx: Database, userId: string, now: Date): Promise<boolean> {
  const cleared = await tx
    .update(users)
    .set({ passwordHash: null, demo: false })
    .where(and(eq(users.id, userId), or(isNotNull(users.passwordHash), not(providesAccount(users.id)))))
    .returning({ id: users.id })
  if (cleared.length === 0) return false
  await endSessionsOf(tx, userId, now)
  await endPasswordLinks(tx, userId, now)
  await removeAllFactors(tx, userId, now)
  return true
}

/**
 * Removes somebody from a merchant's team; the merchant no longer exists for them from their next request. Without other
 * merchants their sign-ins end; the account stays for the record. Call within `lockTeams`; returns whether they were a
 * member.
 */
export async function endMembership(tx: Database, connectionId: string, userId: string, now: Date): Promise<boolean> {
  await lockAccount(tx, userId)
  const ended = await tx
    .delete(memberships)
    .where(and(eq(memberships.connectionId, connectionId), eq(memberships.userId, userId)))
    .returning({ userId: memberships.userId })
  await endRequestsOf(tx, connectionId, userId)
  await revokeTokensOf(tx, { userId, connectionId }, 'desk', now)
  if (await isLeftBehind(tx, userId)) {
    await endSessionsOf(tx, userId, now)
    await endPasswordLinks(tx, userId, now)
  }
  return ended.length > 0
}

/**
 * Adds somebody to the session's team: a new account, or one that was left behind and starts anew, with a one-time link to
 * set its password (mailed where mail is set), or an existing account of other merchants that the admin also administers,
 * without a link. Throws AppError 'step-up', 'bad-request' (errors under `email`), 'in-team' for an existing member, and
 * 'shared-account', and as `lockAccess`.
 */
export async function inviteUser(
  session: Session,
  { email, role }: { email: string; role: Role },
  now = new Date(),
): Promise<Invitation> {
  await requireRecentPassword(session)
  const canonical = canonicalEmail(email)
  if (!canonical) {
    const isTooLong = email.trim().length > MAX_EMAIL_LENGTH
    const wrong = isTooLong
      ? m.contractFields_mustBeAtMostCharacters({ characters: MAX_EMAIL_LENGTH })
      : m.fields_mustBeAnEmailAddress()
    throw new AppError('bad-request', { errors: { email: [wrong] } })
  }
  const db = await requireStore()
  const { connectionId } = session.scope
  return db.transaction(async (tx) => {
    await lockTeams(tx)
    await lockAccount(tx, session.userId)
    const id = randomUUID()
    const [made] = await tx
      .insert(users)
      .values({ id, email: canonical })
      .onConflictDoNothing()
      .returning({ id: users.id })
    const [known] = made ? [made] : await tx.select({ id: users.id }).from(users).where(eq(users.email, canonical))
    const userId = known?.id ?? id
    await lockAccount(tx, userId)
    await lockAccess(tx, session, 'admin')
    const joined = await tx
      .insert(memberships)
      .values({ connectionId, userId, role })
      .onConflictDoNothing()
      .returning({ userId: memberships.userId })
    if (joined.length === 0)
      throw new AppError('in-team', { detail: m.refusals_isInTheTeamAlready({ email: canonical }) })
    // Whoever created the account elsewhere may hold its link or know its password, whatever its address. Looked up once: its
    // other merchants may be removed meanwhile.
    const hasOthers = made ? false : await assertOwnAccount(tx, session, userId, m.refusals_thisAccountIsOfOthers)
    const isCleared = !made && !hasOthers && (await startAnew(tx, userId, now))
    // Nobody would be mailed the link of a disabled account, or could use it.
    if (isCleared) await tx.update(users).set({ disabledAt: null }).where(eq(users.id, userId))
    const user = { id: userId, email: canonical }
    const invitation = { user, kind: 'invitation', madeBy: session.email, connectionId } as const
    const { provided } = await findMember(tx, connectionId, userId)
    const link = made || (isCleared && !provided) ? await makePasswordLink(tx, invitation, now) : null
    if (isCleared) await logMemberChange(tx, session, 'user.access-reset', canonical, {}, now)
    await logMemberChange(tx, session, link ? 'user.invited' : 'user.joined', canonical, { role }, now)
    return { userId, link }
  })
}

/** Changes somebody's role at this merchant, from their next request on. Throws AppError 'last-admin'. */
export function changeRole(session: Session, userId: string, role: Role, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    if (member.role === role) return
    const { connectionId } = session.scope
    await assertAnotherAdmin(tx, userId, connectionId)
    await tx
      .update(memberships)
      .set({ role })
      .where(and(eq(memberships.connectionId, connectionId), eq(memberships.userId, userId)))
    if (role !== 'admin') await endRequestsOf(tx, connectionId, userId)
    await logMemberChange(tx, session, 'user.role-changed', member.email, { from: member.role, to: role }, now)
  })
}

/**
 * Removes somebody from this merchant's team, keeping their other merchants (see endMembership). Throws AppError
 * 'last-admin'.
 */
export function removeMember(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    const { connectionId } = session.scope
    await assertAnotherAdmin(tx, userId, connectionId)
    await endMembership(tx, connectionId, userId, now)
    await logMemberChange(tx, session, 'user.removed', member.email, { role: member.role }, now)
  })
}

/** Closes an account at all its merchants, with its sign-ins, links and tokens, and what it asked for as an admin. */
export async function closeAccount(tx: Database, userId: string, by: string, now: Date): Promise<void> {
  await tx.update(users).set({ disabledAt: now }).where(eq(users.id, userId))
  await endSessionsOf(tx, userId, now)
  await endPasswordLinks(tx, userId, now)
  await revokeTokensOf(tx, { userId }, by, now)
  await tx.delete(factorResets).where(eq(factorResets.requestedBy, userId))
}

/**
 * Disables an account at all its merchants; its sign-ins and links end at once. Throws AppError 'last-admin' when it is
 * the last admin of one of them, and 'shared-account'.
 */
export function disableMember(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    if (member.disabledAt) return
    await assertOwnAccount(tx, session, userId)
    await assertAnotherAdmin(tx, userId)
    await closeAccount(tx, userId, session.email, now)
    await logAccountChange(tx, session, 'user.disabled', member, now)
  })
}

/** Enables a disabled account, with its old password. Throws AppError 'shared-account'. */
export function enableMember(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    if (!member.disabledAt) return
    await assertOwnAccount(tx, session, userId)
    await tx.update(users).set({ disabledAt: null }).where(eq(users.id, userId))
    await logAccountChange(tx, session, 'user.enabled', member, now)
  })
}

/** Ends all sign-ins of a member. Throws AppError 'shared-account'. */
export function endMemberSessions(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    await assertOwnAccount(tx, session, userId)
    await endSessionsOf(tx, userId, now)
    await logAccountChange(tx, session, 'user.sessions-ended', member, now)
  })
}

/**
 * Creates a link for setting a password: a new invitation if there is none yet, else a reset. Throws AppError
 * 'shared-account', and 'not-possible' when a password would be useless.
 */
export function makeMemberLink(session: Session, userId: string, now = new Date()): Promise<PasswordLink> {
  return changeMember(session, userId, async (tx, member) => {
    if (member.disabledAt) throw new AppError('not-possible', { detail: m.refusals_theAccountIsDisabled() })
    if (member.provided && !member.hasPassword)
      throw new AppError('not-possible', {
        detail: m.refusals_thisAccountHasNoPasswordHere(),
      })
    await assertOwnAccount(tx, session, userId)
    const kind = member.hasPassword ? 'reset' : 'invitation'
    const user = { id: userId, email: member.email }
    const { connectionId } = session.scope
    const link = await makePasswordLink(tx, { user, kind, madeBy: session.email, connectionId }, now)
    await logMemberChange(tx, session, `user.${kind}-link-made`, member.email, { expiresAt: link.expiresAt }, now)
    return link
  })
}
