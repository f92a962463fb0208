import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, notInArray } from 'drizzle-orm'
import type { Role } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { appendUserActivity } from '../activity-log/append'
import { recordRefusedSignIn } from '../activity-log/refused-sign-ins'
import { canonicalEmail, endSessionsOf } from './users'
import { startSession } from './sessions'
import type { SessionClaims } from './session-token'
import { signOut } from './sign-in'
import { identities } from '../store/auth-schema'
import { connections, memberships, users } from '../store/schema'
import type { Claims } from './openid-provider'

/** Why somebody whom the provider knows is not let in. */
export type ProviderRefusal = 'NoRole' | 'Disabled'

type Arrival = { claims: Claims; roles: ReadonlyMap<string, Role>; peer: string; previous: SessionClaims | null }

/** A name for the log where the provider has no verified address, or where somebody else here has the same. */
function label({ sub, iss }: Claims): string {
  return `${sub.slice(0, 200)} at ${new URL(iss).host}`
}

/** When somebody last showed the provider who they are; a provider that remembers them lets them pass without. */
function readProvenAt({ auth_time: seconds }: Claims, now: Date): Date {
  return typeof seconds === 'number' ? new Date(Math.min(Math.max(seconds, 0) * 1_000, now.getTime())) : now
}

/** The user of an identity, made at the first sign-in. The e-mail is a name only: it never finds an account. */
async function findOrMakeUser(tx: Database, claims: Claims): Promise<{ id: string; email: string; isOpen: boolean }> {
  const who = and(eq(identities.issuer, claims.iss), eq(identities.subject, claims.sub))
  const find = async () => {
    const [row] = await tx
      .select({ id: users.id, email: users.email, disabledAt: users.disabledAt })
      .from(identities)
      .innerJoin(users, eq(users.id, identities.userId))
      .where(who)
    return row && { id: row.id, email: row.email, isOpen: row.disabledAt === null }
  }
  const known = await find()
  if (known) return known
  const address =
    claims.email_verified === true && typeof claims.email === 'string' ? canonicalEmail(claims.email) : null
  for (const email of [address, label(claims)]) {
    if (email === null) continue
    const id = randomUUID()
    const made = await tx.insert(users).values({ id, email }).onConflictDoNothing().returning({ id: users.id })
    if (made.length === 0) continue
    await tx.insert(identities).values({ issuer: claims.iss, subject: claims.sub, userId: id })
    return { id, email, isOpen: true }
  }
  throw new Error('the name of an identity is taken')
}

/** Brings what the provider gives to what it says now; what was given at the desk stays, where the provider says nothing. */
async function writeRoles(tx: Database, userId: string, roles: ReadonlyMap<string, Role>): Promise<string[]> {
  const named = [...roles.keys()]
  const there =
    named.length === 0
      ? []
      : await tx
          .select({ connectionId: connections.connectionId })
          .from(connections)
          .where(and(inArray(connections.connectionId, named), isNull(connections.removedAt)))
  const kept = there.map(({ connectionId }) => connectionId)
  const mine = and(eq(memberships.userId, userId), eq(memberships.fromProvider, true))
  await tx.delete(memberships).where(kept.length === 0 ? mine : and(mine, notInArray(memberships.connectionId, kept)))
  for (const connectionId of kept) {
    const role = roles.get(connectionId)
    if (role === undefined) continue
    await tx
      .insert(memberships)
      .values({ connectionId, userId, role, fromProvider: true })
      .onConflictDoUpdate({
        target: [memberships.connectionId, memberships.userId],
        set: { role, fromProvider: true },
      })
  }
  return kept.map((connectionId) => `${roles.get(connectionId)} at ${connectionId}`)
}

/**
 * Signs in whoever the provider has proven: issuer and subject are the identity, roles are what its claim says at
 * this moment. Without a role nobody comes in, and sign-ins that the person still has end. `keep` runs last in the same
 * transaction, with the new session's id.
 */
export function signInByProvider(
  db: Database,
  { claims, roles, peer, previous }: Arrival,
  now: Date,
  keep: (tx: Database, sessionId: string) => Promise<void>,
): Promise<SessionClaims | ProviderRefusal> {
  return db.transaction(async (tx) => {
    const entry = {
      at: now,
      objectKind: 'session',
      details: { from: peer, provider: new URL(claims.iss).host },
    }
    const isKnown = await tx.$count(
      identities,
      and(eq(identities.issuer, claims.iss), eq(identities.subject, claims.sub)),
    )
    const refuse = (why: ProviderRefusal, email: string): ProviderRefusal => {
      recordRefusedSignIn(db, { at: now, email, peer, details: { provider: entry.details.provider, why } })
      return why
    }
    // Nobody gets a row here who has no business here.
    if (isKnown === 0 && roles.size === 0) return refuse('NoRole', label(claims))
    const user = await findOrMakeUser(tx, claims)
    if (!user.isOpen) return refuse('Disabled', user.email)
    const given = await writeRoles(tx, user.id, roles)
    if (given.length === 0) {
      await endSessionsOf(tx, user.id, now)
      return refuse('NoRole', user.email)
    }
    if (previous) await signOut(tx, previous.sid, now)
    const sid = await startSession(tx, user.id, now, readProvenAt(claims, now))
    await keep(tx, sid)
    const details = { ...entry.details, roles: given }
    const started = { action: 'session.started', objectId: sid, details }
    await appendUserActivity(tx, { ...entry, ...started, person: { userId: user.id }, actor: user.email })
    return { sub: user.id, sid }
  })
}
