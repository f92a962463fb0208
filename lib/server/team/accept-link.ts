import { eq } from 'drizzle-orm'
import type { LinkFacts } from '@/lib/contract/team'
import type { Database } from '@/lib/database/open-database'
import { appendActivity } from '../activity/append-activity'
import { Failure } from '../failure'
import { memberships } from '../store/schema'
import { changePassword } from '../users'
import { findPasswordLink, spendPasswordLink } from './password-links'
import * as refusals from '@/lib/words/refusals'

async function requireLink(db: Database, secret: string, now: Date) {
  const link = await findPasswordLink(db, secret, now)
  if (link) return link
  throw new Failure('not-found', { detail: refusals.thisLinkIsOfNoUse })
}

/** What a one-time link is for. Throws Failure 'not-found' for one that does not hold. */
export async function describeLink(db: Database, secret: string, now: Date): Promise<LinkFacts> {
  const { email, kind, expiresAt } = await requireLink(db, secret, now)
  return { email, kind, expiresAt }
}

/**
 * Sets the password of whoever was given the link, and uses it up; all sign-ins of the account end. Throws Failure
 * 'not-found', and 'bad-request' (errors under `password`), after which the link still holds.
 */
export async function acceptLink(
  db: Database,
  { secret, password }: { secret: string; password: string },
  now: Date,
): Promise<void> {
  const { id, userId, email, kind } = await requireLink(db, secret, now)
  await changePassword(db, { id: userId, email }, password, now, async (tx) => {
    if (!(await spendPasswordLink(tx, id, now))) await requireLink(tx, secret, now)
    const [membership] = await tx.select().from(memberships).where(eq(memberships.userId, userId)).limit(1)
    await appendActivity(tx, {
      connectionId: membership?.connectionId ?? 'none',
      at: now,
      actor: email,
      action: 'user.password-set',
      objectKind: 'user',
      objectId: email,
      details: { by: kind },
    })
  })
}
