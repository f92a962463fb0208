import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { type LinkInfo, type PasswordLink, passwordLinkPath, type ResetInfo } from '@/lib/domain/accounts'
import { appendActivity } from '../activity-log/append'
import { getDeskOrigin } from '../auth/session-cookie'
import { changePassword } from '../auth/users'
import { AppError } from '../runtime/app-error'
import { passwordLinks } from '../store/auth-schema'
import { memberships, users } from '../store/schema'
import * as refusals from '@/lib/words/refusals'

/** How long a link holds, in milliseconds: somebody who is invited may be away for some days. */
const lifetimes = { invitation: 7 * 24 * 60 * 60_000, reset: 24 * 60 * 60_000 } as const

type LinkKind = keyof typeof lifetimes

/** A secret of 256 random bits needs no slow hash. */
function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Takes back whatever links somebody has; only the newest ever holds. */
export async function endPasswordLinks(tx: Database, userId: string, now: Date): Promise<void> {
  await tx
    .update(passwordLinks)
    .set({ endedAt: now })
    .where(and(eq(passwordLinks.userId, userId), isNull(passwordLinks.endedAt)))
}

/** Makes a one-time link with which somebody sets a password, in place of earlier ones. Its secret is told here and never again. */
export async function makePasswordLink(
  tx: Database,
  { userId, kind, madeBy }: { userId: string; kind: LinkKind; madeBy: string },
  now: Date,
): Promise<PasswordLink> {
  await endPasswordLinks(tx, userId, now)
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + lifetimes[kind])
  const row = { id: randomUUID(), userId, kind, secretHash: hashSecret(secret), madeBy, createdAt: now, expiresAt }
  await tx.insert(passwordLinks).values(row)
  return { address: `${getDeskOrigin()}${passwordLinkPath}#${secret}`, expiresAt: expiresAt.toISOString() }
}

/** The link of this secret while it holds, and whose it is; null for one that was used, replaced, is over or never was. */
export async function findPasswordLink(
  db: Database,
  secret: string,
  now: Date,
): Promise<(LinkInfo & { id: string; userId: string }) | null> {
  const [found] = await db
    .select({
      id: passwordLinks.id,
      userId: users.id,
      email: users.email,
      kind: passwordLinks.kind,
      expiresAt: passwordLinks.expiresAt,
    })
    .from(passwordLinks)
    .innerJoin(users, eq(users.id, passwordLinks.userId))
    .where(
      and(
        eq(passwordLinks.secretHash, hashSecret(secret)),
        isNull(passwordLinks.endedAt),
        gt(passwordLinks.expiresAt, now),
        isNull(users.disabledAt),
      ),
    )
  return found ? { ...found, expiresAt: found.expiresAt.toISOString() } : null
}

/** Uses a link up: of two who try at once, one gets true. */
export async function spendPasswordLink(tx: Database, id: string, now: Date): Promise<boolean> {
  const spent = await tx
    .update(passwordLinks)
    .set({ endedAt: now, usedAt: now })
    .where(and(eq(passwordLinks.id, id), isNull(passwordLinks.endedAt)))
    .returning({ id: passwordLinks.id })
  return spent.length === 1
}

/** How long somebody is told that their password was reset by a link of somebody else's, in milliseconds. */
const resetShown = 30 * 24 * 60 * 60_000

/**
 * The resets of somebody's password with links that somebody else made, the newest first, while they are to be shown to
 * them: whoever made a link could have used it in their place. All of them, or another reset would hide it.
 */
export async function listResetsByOthers(
  db: Database,
  { userId, email }: { userId: string; email: string },
  now: Date,
): Promise<ResetInfo[]> {
  const resets = await db
    .select({ id: passwordLinks.id, madeBy: passwordLinks.madeBy, usedAt: passwordLinks.usedAt })
    .from(passwordLinks)
    .where(
      and(
        eq(passwordLinks.userId, userId),
        eq(passwordLinks.kind, 'reset'),
        ne(passwordLinks.madeBy, email),
        gt(passwordLinks.usedAt, new Date(now.getTime() - resetShown)),
      ),
    )
    .orderBy(desc(passwordLinks.usedAt), desc(passwordLinks.id))
  return resets.flatMap(({ id, madeBy, usedAt }) => (usedAt ? [{ id, madeBy, at: usedAt.toISOString() }] : []))
}

async function requireLink(db: Database, secret: string, now: Date) {
  const link = await findPasswordLink(db, secret, now)
  if (link) return link
  throw new AppError('not-found', { detail: refusals.thisLinkIsOfNoUse })
}

/** What a one-time link is for. Throws AppError 'not-found' for one that does not hold. */
export async function describeLink(db: Database, secret: string, now: Date): Promise<LinkInfo> {
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
