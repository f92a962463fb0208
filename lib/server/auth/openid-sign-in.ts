import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Role } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { type ActivityEntry, appendActivities, appendUserActivity } from '../activity-log/append'
import { recordRefusedSignIn } from '../activity-log/refused-sign-ins'
import { countSignIn } from '../metrics/instruments'
import { getSettings } from '../runtime/settings'
import { revokeTokensOf } from '../api-tokens/revoke-tokens'
import { canonicalEmail, endSessionsOf, lockAccount } from './users'
import { startSession } from './sessions'
import type { SessionClaims } from './session-token'
import { endSession } from './sign-in'
import { identities } from '../store/auth-schema'
import { connections, memberships, users } from '../store/schema'
import { endRequestsOf } from '../team/commands'
import { type Claims, provesFactor } from './openid-provider'

/** Why a user known to the provider is not signed in. */
export type ProviderRefusal = 'NoRole' | 'Disabled'

type Arrival = { claims: Claims; roles: ReadonlyMap<string, Role>; peer: string; previous: SessionClaims | null }

/** A display name for users without a verified address, or whose address another account has. */
function getLabel({ sub, iss }: Claims): string {
  return `${sub.slice(0, 200)} at ${new URL(iss).host}`
}

/** When the user last authenticated at the provider, which may have let them pass on an earlier session. */
function getProvenAt({ auth_time: seconds }: Claims, now: Date): Date {
  return typeof seconds === 'number' ? new Date(Math.min(Math.max(seconds, 0) * 1_000, now.getTime())) : now
}

/** The user of an identity, created at the first sign-in. Accounts are never matched by e-mail. */
async function findOrCreateUser(tx: Database, claims: Claims): Promise<{ id: string; email: string }> {
  const who = and(eq(identities.issuer, claims.iss), eq(identities.subject, claims.sub))
  const find = async () => {
    const [row] = await tx
      .select({ id: users.id, email: users.email })
      .from(identities)
      .innerJoin(users, eq(users.id, identities.userId))
      .where(who)
    return row
  }
  const known = await find()
  if (known) return known
  const address =
    claims.email_verified === true && typeof claims.email === 'string' ? canonicalEmail(claims.email) : null
  for (const email of [address, getLabel(claims)]) {
    if (email === null) continue
    const id = randomUUID()
    const made = await tx.insert(users).values({ id, email }).onConflictDoNothing().returning({ id: users.id })
    if (made.length === 0) continue
    const added = await tx
      .insert(identities)
      .values({ issuer: claims.iss, subject: claims.sub, userId: id })
      .onConflictDoNothing()
      .returning({ userId: identities.userId })
    if (added.length > 0) return { id, email }
    await tx.delete(users).where(eq(users.id, id))
    break
  }
  // The same person signs in for the first time in two windows.
  const other = await find()
  if (!other) throw new Error('the name of an identity is taken')
  return other
}

/** The roles of those merchants that exist. */
async function findGranted(tx: Database, roles: ReadonlyMap<string, Role>): Promise<Map<string, Role>> {
  if (roles.size === 0) return new Map()
  const existing = await tx
    .select({ connectionId: connections.connectionId })
    .from(connections)
    .where(and(inArray(connections.connectionId, [...roles.keys()]), isNull(connections.removedAt)))
  return new Map([...roles].filter(([id]) => existing.some(({ connectionId }) => connectionId === id)))
}

/**
 * Replaces the roles granted by the provider; roles given at the desk stay where the provider names none. Returns what it
 * took away or changed, for the log of each merchant.
 */
async function writeRoles(
  tx: Database,
  user: { id: string; email: string },
  granted: ReadonlyMap<string, Role>,
  now: Date,
): Promise<ActivityEntry[]> {
  const { connectionId, userId } = memberships
  const before = await tx
    .select({
      connectionId,
      role: memberships.role,
      fromProvider: memberships.fromProvider,
      removedAt: connections.removedAt,
    })
    .from(memberships)
    .innerJoin(connections, eq(connections.connectionId, connectionId))
    .where(eq(userId, user.id))
    .orderBy(asc(connectionId))
  const ended = before.filter((one) => one.fromProvider && !granted.has(one.connectionId))
  for (const one of ended) {
    await tx.delete(memberships).where(and(eq(userId, user.id), eq(connectionId, one.connectionId)))
    await revokeTokensOf(tx, { userId: user.id, connectionId: one.connectionId }, 'desk', now)
    await endRequestsOf(tx, one.connectionId, user.id)
  }
  for (const [id, role] of granted) {
    await tx
      .insert(memberships)
      .values({ connectionId: id, userId: user.id, role, fromProvider: true })
      .onConflictDoUpdate({ target: [connectionId, userId], set: { role, fromProvider: true } })
    if (role !== 'admin') await endRequestsOf(tx, id, user.id)
  }
  const entry = { at: now, actor: 'desk', objectKind: 'user', objectId: user.email }
  return before.flatMap(({ connectionId: id, role, removedAt }): ActivityEntry[] => {
    const to = granted.get(id)
    if (to !== undefined && to !== role)
      return [{ ...entry, connectionId: id, action: 'user.role-changed', details: { from: role, to, by: 'provider' } }]
    return removedAt === null && ended.some((one) => one.connectionId === id)
      ? [{ ...entry, connectionId: id, action: 'user.removed', details: { role, by: 'provider' } }]
      : []
  })
}

/**
 * Signs in a user verified by the provider: issuer and subject are the identity, the roles are those of the current
 * claim. Without a role the sign-in is refused and the user's other sign-ins end. `keep` runs in the same transaction
 * before the log is written, with the new session's id.
 */
export async function signInByProvider(
  db: Database,
  { claims, roles, peer, previous }: Arrival,
  now: Date,
  keep: (tx: Database, sessionId: string) => Promise<void>,
): Promise<SessionClaims | ProviderRefusal> {
  const outcome = await db.transaction(async (tx): Promise<SessionClaims | ProviderRefusal> => {
    const entry = {
      at: now,
      objectKind: 'session',
      details: { from: peer, provider: new URL(claims.iss).host },
    }
    const isKnown = await tx.$count(
      identities,
      and(eq(identities.issuer, claims.iss), eq(identities.subject, claims.sub)),
    )
    const refuse = (reason: ProviderRefusal, email: string): ProviderRefusal => {
      recordRefusedSignIn(db, { at: now, email, peer, details: { provider: entry.details.provider, why: reason } })
      return reason
    }
    // No user row is created for people without a role.
    const granted = await findGranted(tx, roles)
    if (isKnown === 0 && granted.size === 0) return refuse('NoRole', getLabel(claims))
    const user = await findOrCreateUser(tx, claims)
    if ((await lockAccount(tx, user.id))?.disabledAt) return refuse('Disabled', user.email)
    const changes = await writeRoles(tx, user, granted, now)
    if (granted.size === 0) {
      await endSessionsOf(tx, user.id, now)
      if (changes.length > 0) await appendActivities(tx, changes)
      return refuse('NoRole', user.email)
    }
    const ended = previous && (await endSession(tx, previous.sid, now))
    const sid = await startSession(tx, user.id, now, {
      provenAt: getProvenAt(claims, now),
      factor: provesFactor(claims, getSettings().OIDC_FACTOR) ? 'provider' : null,
    })
    await keep(tx, sid)
    if (changes.length > 0) await appendActivities(tx, changes)
    if (ended) await appendUserActivity(tx, ended)
    const started = { action: 'session.started', objectId: sid, person: { userId: user.id }, actor: user.email }
    const detailsAt = (connectionId: string) => ({ role: granted.get(connectionId) })
    await appendUserActivity(tx, { ...entry, ...started, detailsAt })
    return { sub: user.id, sid }
  })
  if (typeof outcome !== 'string') countSignIn('accepted')
  return outcome
}
