import { and, asc, eq, isNotNull, isNull, ne, not, notExists, or, type SQL, sql } from 'drizzle-orm'
import { alias, type AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '@/lib/database/database'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { identities } from '../store/auth-schema'
import { authenticators } from '../store/factor-schema'
import { connections, memberships, users } from '../store/schema'
import * as m from '@/lib/messages/m'

/** Whether an account comes from an OpenID provider and thus needs no password here. */
export function providesAccount(userId: AnyPgColumn): SQL<boolean> {
  return sql<boolean>`exists (select 1 from ${identities} where ${identities.userId} = ${userId})`
}

/**
 * Whether the owner of an account can sign in as this desk is set: by a password, through the provider, or with a passkey,
 * which signs in to accounts of no provider.
 */
function canSignIn(): SQL | undefined {
  const { PASSWORDS, OIDC_ISSUER } = getSettings()
  const isOfIssuer = sql`${identities.userId} = ${users.id} and rtrim(${identities.issuer}, '/') = rtrim(${OIDC_ISSUER}::text, '/')`
  const isPasskey = sql`${authenticators.userId} = ${users.id} and ${authenticators.kind} = 'passkey'`
  return or(
    PASSWORDS === 'on' ? isNotNull(users.passwordHash) : undefined,
    OIDC_ISSUER === undefined ? undefined : sql`exists (select 1 from ${identities} where ${isOfIssuer})`,
    and(not(providesAccount(users.id)), sql`exists (select 1 from ${authenticators} where ${isPasskey})`),
  )
}

export type Merchant = { connectionId: string; name: string }

/** A merchant whose last admin able to sign in is this user, among all theirs or the given one; else null. */
export async function findLastAdminOf(tx: Database, userId: string, connectionId?: string): Promise<Merchant | null> {
  const others = alias(memberships, 'others')
  const another = tx
    .select({ userId: users.id })
    .from(others)
    .innerJoin(users, eq(users.id, others.userId))
    .where(
      and(
        eq(others.connectionId, memberships.connectionId),
        eq(others.role, 'admin'),
        ne(users.id, userId),
        isNull(users.disabledAt),
        canSignIn(),
      ),
    )
  const [merchant] = await tx
    .select({ connectionId: connections.connectionId, name: connections.name })
    .from(memberships)
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(
      and(
        eq(memberships.userId, userId),
        eq(memberships.role, 'admin'),
        connectionId === undefined ? undefined : eq(memberships.connectionId, connectionId),
        notExists(another),
      ),
    )
    .orderBy(asc(connections.name))
    .limit(1)
  return merchant ?? null
}

/**
 * Throws AppError 'last-admin', naming the merchant, when nobody else who can sign in would administer one of the user's
 * merchants, or the given one. Call within `lockTeams`.
 */
export async function assertAnotherAdmin(tx: Database, userId: string, connectionId?: string): Promise<void> {
  const merchant = await findLastAdminOf(tx, userId, connectionId)
  if (merchant)
    throw new AppError('last-admin', { detail: m.refusals_nobodyElseCouldAdminister({ name: merchant.name }) })
}
