import { and, desc, eq, gt, type SQL } from 'drizzle-orm'
import { getRolesWithin } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { type ApiTokenView, type OwnApiTokens, type TeamApiTokens, tokenLifetimes } from '@/lib/domain/api-tokens'
import type { Session } from '../auth/session'
import { getSettings } from '../runtime/settings'
import { apiTokens, ENDED_TOKEN_DAYS } from '../store/api-token-schema'
import { identities } from '../store/auth-schema'
import { users } from '../store/schema'

const DAY_MS = 24 * 60 * 60_000

/** Days that a token of an account of the OpenID provider lives at most: only a sign-in shows that it still lets them in. */
const MAX_PROVIDED_DAYS = 30

/** Whether requests to the provider are made with each person's own sign-in, which no token has. */
export function areTokensImpossible(): boolean {
  return getSettings().UPSTREAM_AUTH === 'session'
}

/** How many days a new token of an account may live. */
export async function listLifetimes(db: Database, userId: string): Promise<number[]> {
  const isProvided = (await db.$count(identities, eq(identities.userId, userId))) > 0
  return tokenLifetimes.filter((days) => !isProvided || days <= MAX_PROVIDED_DAYS)
}

type TokenRow = typeof apiTokens.$inferSelect

export function viewToken(row: TokenRow, email: string, now: Date): ApiTokenView {
  const { id, name, prefix, role, createdAt, expiresAt, lastUsedAt, revokedAt, revokedBy } = row
  return {
    id,
    name,
    prefix,
    role,
    email,
    state: revokedAt ? 'revoked' : expiresAt <= now ? 'expired' : 'valid',
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    revokedBy,
  }
}

/** Tokens at a merchant, valid ones first, each newest first. */
async function listTokens(
  db: Database,
  { scope }: Session,
  whose: SQL | undefined,
  now: Date,
): Promise<ApiTokenView[]> {
  const since = new Date(now.getTime() - ENDED_TOKEN_DAYS * DAY_MS)
  const rows = await db
    .select({ token: apiTokens, email: users.email })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.connectionId, scope.connectionId), whose, gt(apiTokens.expiresAt, since)))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
  const views = rows
    .filter(({ token }) => !token.revokedAt || token.revokedAt > since)
    .map(({ token, email }) => viewToken(token, email, now))
  return views.toSorted((one, other) => Number(one.state !== 'valid') - Number(other.state !== 'valid'))
}

/** The person's own tokens at the session's merchant, and what a new one may have. */
export async function listOwnTokens(db: Database, session: Session, now = new Date()): Promise<OwnApiTokens> {
  return {
    tokens: await listTokens(db, session, eq(apiTokens.userId, session.userId), now),
    roles: getRolesWithin(session.role),
    lifetimes: await listLifetimes(db, session.userId),
    isImpossible: areTokensImpossible(),
  }
}

/** All tokens at the session's merchant. */
export async function listTeamTokens(db: Database, session: Session, now = new Date()): Promise<TeamApiTokens> {
  return { tokens: await listTokens(db, session, undefined, now) }
}
