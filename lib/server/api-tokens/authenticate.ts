import { and, eq, lt, or, isNull } from 'drizzle-orm'
import { getRolesWithin, type Role } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { recordActivityOncePer } from '../activity-log/append'
import type { Session } from '../auth/session'
import { isRole } from '../auth/sessions'
import { createTenantScope, getRequestedMerchant } from '../auth/tenant-scope'
import { reserveAttempt } from '../auth/throttle'
import { AppError } from '../runtime/app-error'
import { limitPerMinute } from '../runtime/limits'
import { readPeer } from '../runtime/peer-address'
import { rememberSession } from '../runtime/request-context'
import { getSettings } from '../runtime/settings'
import { apiTokens } from '../store/api-token-schema'
import { connections, memberships, users } from '../store/schema'
import { orStoreUnavailable, requireOpenStore } from '../store/store'
import { refreshConnection } from '../upstream/stored-connections'
import { areTokensImpossible } from './queries'
import { isTokenHash, parsePrefix, readBearer } from './token-text'
import * as m from '@/lib/messages/m'

const MINUTE_MS = 60_000
/** Minimum time between two entries about the same token that is not valid. */
const REFUSAL_INTERVAL_MS = 15 * MINUTE_MS

/** Whether a request gives a token, valid or not: then it alone counts, and no cookie. */
export function givesApiToken(request: Request): boolean {
  return readBearer(request.headers.get('authorization')) !== null
}

/** The strongest role that may do nothing which either of two may not; undefined if there is none. */
export function findCommonRole(one: Role, other: Role): Role | undefined {
  return getRolesWithin(one).find((role) => getRolesWithin(other).includes(role))
}

async function findToken(db: Database, prefix: string) {
  const [found] = await db
    .select({
      token: apiTokens,
      email: users.email,
      disabledAt: users.disabledAt,
      memberRole: memberships.role,
      removedAt: connections.removedAt,
      revision: connections.revision,
      factorRoles: connections.factorRoles,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .innerJoin(connections, eq(connections.connectionId, apiTokens.connectionId))
    .leftJoin(
      memberships,
      and(eq(memberships.userId, apiTokens.userId), eq(memberships.connectionId, apiTokens.connectionId)),
    )
    .where(eq(apiTokens.prefix, prefix))
  return found
}

type FoundToken = NonNullable<Awaited<ReturnType<typeof findToken>>>

/** The role that a token has now, or why it has none. Whoever holds its secret may be told. */
function judge(
  { token, disabledAt, memberRole, removedAt, factorRoles }: FoundToken,
  now: Date,
): Role | { why: string } {
  if (token.revokedAt) return { why: m.apiTokens_wasRevoked() }
  if (token.expiresAt <= now) return { why: m.apiTokens_hasExpired() }
  const isMember = memberRole !== null && isRole(memberRole) && !disabledAt && !removedAt
  const role = isMember && isRole(token.role) ? findCommonRole(token.role, memberRole) : undefined
  if (!isMember || role === undefined) return { why: m.apiTokens_ownerHasNoAccess() }
  if (factorRoles.includes(memberRole) && !token.withFactor) return { why: m.apiTokens_madeWithoutFactor() }
  return role
}

/** A token that nobody made: counted like a wrong password, by the address that it comes from. */
async function refuseUnknown(db: Database, request: Request, now: Date): Promise<never> {
  const guess = { purpose: 'api token', account: '', peer: readPeer(request) } as const
  const reservation = await reserveAttempt(db, guess, now)
  if (!reservation.allowed) throw new AppError('too-many-attempts', { retryAfter: reservation.retryAfter })
  throw new AppError('token-invalid')
}

function recordRefusal({ token: { id, name, connectionId }, email }: FoundToken, why: string): void {
  recordActivityOncePer(`token ${id}`, REFUSAL_INTERVAL_MS, {
    connectionId,
    actor: email,
    action: 'token.refused',
    objectKind: 'token',
    objectId: id,
    details: { name, why },
  })
}

/** At most once a minute, so that reading costs no write each time. */
async function recordUse(db: Database, { id, lastUsedAt }: FoundToken['token'], now: Date): Promise<void> {
  const before = new Date(now.getTime() - MINUTE_MS)
  if (lastUsedAt && lastUsedAt > before) return
  await db
    .update(apiTokens)
    .set({ lastUsedAt: now })
    .where(and(eq(apiTokens.id, id), or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, now))))
}

async function readSession(db: Database, request: Request, text: string, now: Date): Promise<Session> {
  const prefix = parsePrefix(text)
  const found = prefix === null ? undefined : await findToken(db, prefix)
  if (!found || !isTokenHash(found.token.hash, text)) return refuseUnknown(db, request, now)
  const { token, email, revision } = found
  const { id, name, userId, connectionId } = token
  limitPerMinute(`api token ${id}`, {
    most: getSettings().API_TOKEN_RATE,
    explain: (seconds) => m.apiTokens_slowDown({ seconds }),
  })
  const role = judge(found, now)
  if (typeof role === 'object') {
    recordRefusal(found, role.why)
    throw new AppError('token-invalid', { detail: role.why })
  }
  const scope = createTenantScope(connectionId)
  const session = { sessionId: id, userId, email, role, scope, apiToken: { id, name } }
  rememberSession(session)
  const named = getRequestedMerchant(request)
  if (named !== null && named !== connectionId)
    throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchMerchant() })
  await refreshConnection(db, { connectionId, revision })
  await recordUse(db, token, now)
  return session
}

/**
 * The session of a request that gives a token (RFC 6750), checked in the store: the token's person at its merchant, with
 * the token's role or what the person's role still allows of it. Throws AppError 'token-invalid', 'too-many-attempts',
 * 'not-found' (another merchant is named), 'bad-request' and 'store-unavailable'.
 */
export async function readTokenSession(request: Request, now = new Date()): Promise<Session> {
  if (areTokensImpossible()) throw new AppError('token-invalid', { detail: m.apiTokens_impossibleHere() })
  const { db } = await requireOpenStore()
  return orStoreUnavailable(() => readSession(db, request, readBearer(request.headers.get('authorization')) ?? '', now))
}
