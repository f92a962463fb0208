import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Role } from '@/lib/contract/permission'
import type { Invitation } from '@/lib/contract/team'
import { canonicalEmail } from '../canonical-email'
import { Failure } from '../failure'
import { requireRecentPassword } from '../require-recent-password'
import type { Session } from '../session'
import { requireStore } from '../store/require-store'
import { memberships, users } from '../store/schema'
import { assertOwnAccount, lockTeams } from './change-member'
import { noteMember } from './note-member'
import { makePasswordLink } from './password-links'
import * as fields from '@/lib/words/fields'
import * as refusals from '@/lib/words/refusals'

/**
 * Takes somebody into the session's team: a new account with a one-time link to set its password, or an account of
 * another merchant that the admin administers too, which needs none. Throws Failure 'step-up', 'bad-request' (errors
 * under `email`), 'in-team' for somebody who is there, and 'shared-account'.
 */
export async function inviteUser(
  session: Session,
  { email, role }: { email: string; role: Role },
  now = new Date(),
): Promise<Invitation> {
  await requireRecentPassword(session)
  const canonical = canonicalEmail(email)
  if (!canonical) throw new Failure('bad-request', { errors: { email: [fields.mustBeAnEmailAddress] } })
  const db = await requireStore()
  const { connectionId } = session.scope
  return db.transaction(async (tx) => {
    await lockTeams(tx)
    const id = randomUUID()
    const [made] = await tx
      .insert(users)
      .values({ id, email: canonical })
      .onConflictDoNothing()
      .returning({ id: users.id })
    const [known] = made ? [made] : await tx.select({ id: users.id }).from(users).where(eq(users.email, canonical))
    const userId = known?.id ?? id
    const joined = await tx
      .insert(memberships)
      .values({ connectionId, userId, role })
      .onConflictDoNothing()
      .returning({ userId: memberships.userId })
    if (joined.length === 0) throw new Failure('in-team', { detail: refusals.isInTheTeamAlready(canonical) })
    // Whoever made the account elsewhere may hold its link or know its password, whatever address it bears.
    if (!made) await assertOwnAccount(tx, session, userId)
    const link = made ? await makePasswordLink(tx, { userId, kind: 'invitation', madeBy: session.email }, now) : null
    await noteMember(tx, session, link ? 'user.invited' : 'user.joined', canonical, { role }, now)
    return { userId, link }
  })
}
