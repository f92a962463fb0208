import { and, eq } from 'drizzle-orm'
import type { Role } from '@/lib/contract/permission'
import type { PasswordLink } from '@/lib/contract/team'
import { Failure } from '../failure'
import type { Session } from '../session'
import { memberships, users } from '../store/schema'
import { endSessionsOf } from '../users'
import { assertAnotherAdmin } from './assert-another-admin'
import { assertOwnAccount, changeMember } from './change-member'
import { endMembership } from './end-membership'
import { noteMember } from './note-member'
import { endPasswordLinks, makePasswordLink } from './password-links'
import * as refusals from '@/lib/words/refusals'

/** Gives somebody another role at this merchant, from their next request on. Throws Failure 'last-admin'. */
export function changeRole(session: Session, userId: string, role: Role, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    if (member.role === role) return
    const { connectionId } = session.scope
    await assertAnotherAdmin(tx, userId, connectionId)
    await tx
      .update(memberships)
      .set({ role })
      .where(and(eq(memberships.connectionId, connectionId), eq(memberships.userId, userId)))
    await noteMember(tx, session, 'user.role-changed', member.email, { from: member.role, to: role }, now)
  })
}

/**
 * Takes somebody out of this merchant's team, whomever else they work for (see endMembership). Throws Failure
 * 'last-admin'.
 */
export function removeMember(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    const { connectionId } = session.scope
    await assertAnotherAdmin(tx, userId, connectionId)
    await endMembership(tx, connectionId, userId, now)
    await noteMember(tx, session, 'user.removed', member.email, { role: member.role }, now)
  })
}

/**
 * Closes an account, at all its merchants: its sign-ins and links end at once. Throws Failure 'last-admin' where it is
 * the last admin of any of them, and 'shared-account'.
 */
export function disableMember(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    if (member.disabledAt) return
    await assertOwnAccount(tx, session, userId)
    await assertAnotherAdmin(tx, userId)
    await tx.update(users).set({ disabledAt: now }).where(eq(users.id, userId))
    await endSessionsOf(tx, userId, now)
    await endPasswordLinks(tx, userId, now)
    await noteMember(tx, session, 'user.disabled', member.email, {}, now)
  })
}

/** Opens a closed account again; the password is the one it had. Throws Failure 'shared-account'. */
export function enableMember(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    if (!member.disabledAt) return
    await assertOwnAccount(tx, session, userId)
    await tx.update(users).set({ disabledAt: null }).where(eq(users.id, userId))
    await noteMember(tx, session, 'user.enabled', member.email, {}, now)
  })
}

/** Ends every sign-in of somebody. Throws Failure 'shared-account'. */
export function endMemberSessions(session: Session, userId: string, now = new Date()): Promise<void> {
  return changeMember(session, userId, async (tx, member) => {
    await assertOwnAccount(tx, session, userId)
    await endSessionsOf(tx, userId, now)
    await noteMember(tx, session, 'user.sessions-ended', member.email, {}, now)
  })
}

/**
 * Makes a link with which somebody sets a password: a new invitation for those who have none yet. Throws Failure
 * 'shared-account', and 'not-possible' where a password would be of no use.
 */
export function makeMemberLink(session: Session, userId: string, now = new Date()): Promise<PasswordLink> {
  return changeMember(session, userId, async (tx, member) => {
    if (member.disabledAt) throw new Failure('not-possible', { detail: refusals.theAccountIsDisabled })
    if (member.provided && !member.hasPassword)
      throw new Failure('not-possible', {
        detail: refusals.thisAccountHasNoPasswordHere,
      })
    await assertOwnAccount(tx, session, userId)
    const kind = member.hasPassword ? 'reset' : 'invitation'
    const link = await makePasswordLink(tx, { userId, kind, madeBy: session.email }, now)
    await noteMember(tx, session, `user.${kind}-link-made`, member.email, { expiresAt: link.expiresAt }, now)
    return link
  })
}
