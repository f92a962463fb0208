import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, isNull, ne } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { type LinkInfo, type PasswordLink, passwordLinkPath, type ResetInfo } from '@/lib/domain/accounts'
import { appendUserActivity } from '../activity-log/append'
import { getDeskOrigin } from '../auth/session-cookie'
import { changePassword, lockAccount } from '../auth/users'
import { isMailable } from '../mail/outbox'
import { queueMail } from '../mail/queue-mail'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { passwordLinks } from '../store/auth-schema'
import { connections, memberships, users } from '../store/schema'
import * as m from '@/lib/messages/m'

/** Invited people may be away for some days. */
const LIFETIMES_MS = { invitation: 7 * 24 * 60 * 60_000, reset: 24 * 60 * 60_000 } as const

/** Before a link's id: the key of its mail. */
export const linkMailPrefix = 'password-link '

type LinkKind = keyof typeof LIFETIMES_MS

/** A fast hash suffices for 256 random bits. */
function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Throws AppError 'not-possible' where nobody signs in with a password. */
function assertPasswordsOn(): void {
  if (getSettings().PASSWORDS === 'off') throw new AppError('not-possible', { detail: m.refusals_passwordsAreOff() })
}

/** Revokes a user's links; only the newest is ever valid. */
export async function endPasswordLinks(tx: Database, userId: string, now: Date): Promise<void> {
  await tx
    .update(passwordLinks)
    .set({ endedAt: now })
    .where(and(eq(passwordLinks.userId, userId), isNull(passwordLinks.endedAt)))
}

/** Whose link it is, what for, who made it, and the merchant that the invitation is for. */
type NewLink = {
  user: { id: string; email: string }
  kind: LinkKind
  madeBy: string
  connectionId?: string
}

/**
 * Creates a one-time link to set a password and revokes earlier ones. Where mail is set, it goes to its owner and nobody
 * else gets to see it; otherwise its address is returned, only here.
 */
export async function makePasswordLink(
  tx: Database,
  { user, kind, madeBy, connectionId }: NewLink,
  now: Date,
): Promise<PasswordLink> {
  assertPasswordsOn()
  // One that is being made at the same time must end or be ended.
  await lockAccount(tx, user.id)
  await endPasswordLinks(tx, user.id, now)
  const secret = randomBytes(32).toString('base64url')
  const id = randomUUID()
  const expiresAt = new Date(now.getTime() + LIFETIMES_MS[kind])
  const row = { id, userId: user.id, kind, secretHash: hashSecret(secret), madeBy, createdAt: now, expiresAt }
  await tx.insert(passwordLinks).values(row)
  const address = `${getDeskOrigin()}${passwordLinkPath}#${secret}`
  const until = expiresAt.toISOString()
  if (!isMailable(user.email)) return { address, expiresAt: until }
  await queueMail(tx, {
    key: `${linkMailPrefix}${id}`,
    userId: user.id,
    ...(connectionId !== undefined && { connectionId }),
    content: {
      kind: 'password-link',
      purpose: kind,
      linkId: id,
      madeBy: madeBy === user.email ? null : madeBy,
      expiresAt: until,
    },
    link: address,
  })
  return { address: null, expiresAt: until }
}

/** The valid link with this secret, and its user; null when it was used, replaced or expired, or never existed. */
export async function findPasswordLink(
  db: Database,
  secret: string,
  now: Date,
): Promise<(Omit<LinkInfo, 'merchants'> & { id: string; userId: string }) | null> {
  const [found] = await db
    .select({
      id: passwordLinks.id,
      userId: users.id,
      email: users.email,
      kind: passwordLinks.kind,
      expiresAt: passwordLinks.expiresAt,
      madeBy: passwordLinks.madeBy,
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
  if (!found) return null
  const { madeBy, expiresAt } = found
  return { ...found, madeBy: madeBy === found.email ? null : madeBy, expiresAt: expiresAt.toISOString() }
}

/** Marks a link as used; of two concurrent attempts one returns true. */
export async function spendPasswordLink(tx: Database, id: string, now: Date): Promise<boolean> {
  const spent = await tx
    .update(passwordLinks)
    .set({ endedAt: now, usedAt: now })
    .where(and(eq(passwordLinks.id, id), isNull(passwordLinks.endedAt)))
    .returning({ id: passwordLinks.id })
  return spent.length === 1
}

/** How long users are shown that others have reset their password. */
const RESET_SHOWN_MS = 30 * 24 * 60 * 60_000

/**
 * The recent resets of a user's password with links created by others, newest first, to be shown to the user: whoever
 * creates a link could use it instead. All of them, since a later reset must not hide an earlier one.
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
        gt(passwordLinks.usedAt, new Date(now.getTime() - RESET_SHOWN_MS)),
      ),
    )
    .orderBy(desc(passwordLinks.usedAt), desc(passwordLinks.id))
  return resets.flatMap(({ id, madeBy, usedAt }) => (usedAt ? [{ id, madeBy, at: usedAt.toISOString() }] : []))
}

async function requireLink(db: Database, secret: string, now: Date) {
  const link = await findPasswordLink(db, secret, now)
  if (link) return link
  throw new AppError('not-found', { detail: m.refusals_thisLinkIsOfNoUse() })
}

/** The purpose of a one-time link, and of an invitation who invites to what. Throws AppError 'not-found' when it is not valid. */
export async function describeLink(db: Database, secret: string, now: Date): Promise<LinkInfo> {
  const { userId, email, kind, expiresAt, madeBy } = await requireLink(db, secret, now)
  if (kind === 'reset') return { email, kind, expiresAt, madeBy: null, merchants: [] }
  const merchants = await db
    .select({ name: connections.name })
    .from(memberships)
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(connections.name))
  return { email, kind, expiresAt, madeBy, merchants: merchants.map(({ name }) => name) }
}

/**
 * Sets the password of a link's user and uses the link up; all sign-ins of the account end. Throws AppError 'not-found',
 * and 'bad-request' (errors under `password`), after which the link is still valid.
 */
export async function acceptLink(
  db: Database,
  { secret, password }: { secret: string; password: string },
  now: Date,
): Promise<void> {
  assertPasswordsOn()
  const { id, userId, email, kind } = await requireLink(db, secret, now)
  await changePassword(db, { id: userId, email }, password, now, async (tx) => {
    if (!(await spendPasswordLink(tx, id, now))) await requireLink(tx, secret, now)
    await appendUserActivity(tx, {
      person: { userId },
      at: now,
      actor: email,
      action: 'user.password-set',
      objectKind: 'user',
      objectId: email,
      details: { by: kind },
    })
  })
}
