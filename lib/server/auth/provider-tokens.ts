import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import * as z from 'zod'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { AppError } from '../runtime/app-error'
import { getRequestContext } from '../runtime/request-context'
import { getSettings } from '../runtime/settings'
import { providerTokens } from '../store/auth-schema'
import { decryptSecret, encryptSecret } from '../store/encryption'
import { countsAsSignIn } from '../store/factor-schema'
import { isPast } from '../store/leases'
import { cancellations, sessions, users } from '../store/schema'
import { MAX_REQUEST_MS, requestToken } from '../upstream/access-tokens'
import { readProviderMetadata } from './openid-provider'
import { absoluteLifetime, idleLifetime } from './session-cookie'
import * as m from '@/lib/messages/m'

/** Whose access token authenticates upstream requests: that of a sign-in, or of a user's newest one. */
export type TokenOwner = { sessionId: string } | { userId: string }

declare global {
  /** One per process, because Next loads this module once per graph. */
  var debitdeskTokenOwner: AsyncLocalStorage<TokenOwner> | undefined
}

function getStorage(): AsyncLocalStorage<TokenOwner> {
  return (globalThis.debitdeskTokenOwner ??= new AsyncLocalStorage())
}

/** Runs the desk's own work on behalf of a user, including everything it starts later. */
export function runAsTokenOwner<Result>(owner: TokenOwner, run: () => Result): Result {
  return getStorage().run(owner, run)
}

/** The token owner of the current work: set explicitly, else the request's session; null for none. */
export function getTokenOwner(): TokenOwner | null {
  const owner = getStorage().getStore()
  if (owner) return owner
  const sessionId = getRequestContext()?.sessionId
  return sessionId === undefined ? null : { sessionId }
}

/** The stored part of a provider's tokens. */
const storedTokens = z.object({ access: z.string(), refresh: z.string().nullable() })
export type StoredTokens = z.output<typeof storedTokens>

/** A token endpoint's reply. Without `expiresAt` a short lifetime is assumed. */
export type GivenTokens = { access: string | null; refresh: string | null; expiresAt: Date | null }

/** Assumed when a token doesn't state its lifetime. */
const DEFAULT_LIFETIME_MS = 300_000

/** Names the session, so that a sealed text moved to another row cannot be opened. */
export const tokensPurpose = (sessionId: string) => `provider tokens of session ${sessionId}`

/** The token endpoint's reply as passed on by next-auth. */
export function readGivenTokens(account: Readonly<Record<string, unknown>>): GivenTokens {
  const { access_token: access, refresh_token: refresh, expires_at: expires } = account
  return {
    access: typeof access === 'string' ? access : null,
    refresh: typeof refresh === 'string' ? refresh : null,
    expiresAt: typeof expires === 'number' ? new Date(expires * 1_000) : null,
  }
}

function encryptTokens(sessionId: string, tokens: StoredTokens): string {
  return encryptSecret(JSON.stringify(tokens), tokensPurpose(sessionId))
}

/** Deletes the tokens of sign-ins that have ended, or expired without anybody's doing. */
export async function deleteEndedProviderTokens(db: Database, now: Date): Promise<void> {
  const before = (lifetime: number) => new Date(now.getTime() - lifetime * 1_000)
  const hasEnded = or(
    isNotNull(sessions.endedAt),
    lte(sessions.createdAt, before(absoluteLifetime)),
    lte(sessions.lastSeenAt, before(idleLifetime)),
  )
  const { sessionId } = providerTokens
  // Whoever is just ending one deletes its tokens too.
  const ended = db
    .select({ sessionId })
    .from(providerTokens)
    .innerJoin(sessions, eq(sessions.id, sessionId))
    .where(hasEnded)
    .for('update', { of: providerTokens, skipLocked: true })
  await db.delete(providerTokens).where(inArray(sessionId, ended))
}

/**
 * Stores the tokens of a new sign-in, encrypted, in its transaction; nothing without an access token. Deletes those of
 * others that have ended.
 */
export async function keepProviderTokens(
  tx: Database,
  sessionId: string,
  given: GivenTokens,
  now: Date,
): Promise<void> {
  await deleteEndedProviderTokens(tx, now)
  if (given.access === null) return
  const tokens = encryptTokens(sessionId, { access: given.access, refresh: given.refresh })
  const expiresAt = given.expiresAt ?? new Date(now.getTime() + DEFAULT_LIFETIME_MS)
  await tx.insert(providerTokens).values({ sessionId, tokens, expiresAt })
}

/** Deletes the tokens of sign-ins that end, in the same transaction. */
export async function deleteProviderTokens(tx: Database, ended: readonly { id: string }[]): Promise<void> {
  if (ended.length === 0) return
  const ids = ended.map(({ id }) => id)
  await tx.delete(providerTokens).where(inArray(providerTokens.sessionId, ids))
}

/** Moves the tokens of a sign-in to the one that replaces it; those that can't be decrypted are of no use and go. */
export async function moveProviderTokens(tx: Database, from: string, to: string): Promise<void> {
  const [row] = await tx.delete(providerTokens).where(eq(providerTokens.sessionId, from)).returning()
  const text = row && decryptSecret(row.tokens, tokensPurpose(from))
  if (!row || !text) return
  await tx.insert(providerTokens).values({ ...row, sessionId: to, tokens: encryptSecret(text, tokensPurpose(to)) })
}

/** The tokens of a valid sign-in. */
export type SessionTokens = StoredTokens & { sessionId: string; expiresAt: Date; revision: number }

/**
 * The tokens of a sign-in, or of the user's newest; null without any, or when the secret has changed since. A sign-in that
 * lacks its second factor is none.
 */
export async function findProviderTokens(
  db: Database,
  owner: { sessionId: string } | { userId: string },
  now: Date,
): Promise<SessionTokens | null> {
  const rows = await db
    .select({
      sessionId: providerTokens.sessionId,
      tokens: providerTokens.tokens,
      expiresAt: providerTokens.expiresAt,
      revision: providerTokens.revision,
    })
    .from(providerTokens)
    .innerJoin(sessions, eq(sessions.id, providerTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        'sessionId' in owner ? eq(sessions.id, owner.sessionId) : eq(sessions.userId, owner.userId),
        isNull(sessions.endedAt),
        isNull(users.disabledAt),
        countsAsSignIn,
        gt(sessions.createdAt, new Date(now.getTime() - absoluteLifetime * 1_000)),
        gt(sessions.lastSeenAt, new Date(now.getTime() - idleLifetime * 1_000)),
      ),
    )
    .orderBy(sql`${sessions.createdAt} desc`)
  for (const { tokens, ...row } of rows) {
    const text = decryptSecret(tokens, tokensPurpose(row.sessionId))
    const read = text === null ? null : storedTokens.safeParse(JSON.parse(text))
    if (read?.success) return { ...read.data, ...row }
  }
  return null
}

/** Stores renewed tokens; false when they were replaced since `revision`. */
export async function replaceProviderTokens(
  db: Database,
  { sessionId, revision }: Pick<SessionTokens, 'sessionId' | 'revision'>,
  tokens: StoredTokens,
  expiresAt: Date,
): Promise<boolean> {
  const changed = await db
    .update(providerTokens)
    .set({
      tokens: encryptTokens(sessionId, tokens),
      expiresAt,
      revision: sql`${providerTokens.revision} + 1`,
      renewingUntil: null,
    })
    .where(and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision)))
    .returning({ sessionId: providerTokens.sessionId })
  return changed.length > 0
}

/** Deletes tokens that the provider no longer accepts. */
export async function dropProviderTokens(
  db: Database,
  { sessionId, revision }: Pick<SessionTokens, 'sessionId' | 'revision'>,
): Promise<void> {
  await db
    .delete(providerTokens)
    .where(and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision)))
}

/** Those of the users who have a usable access token. */
export async function whoIsPresent(db: Database, userIds: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>()
  for (const userId of new Set(userIds)) {
    if (await findProviderTokens(db, { userId }, new Date())) present.add(userId)
  }
  return present
}

/** Users with open cancellations at a connection who are signed in; the work of others waits for them. */
export async function findPresentOwners(db: Database, connectionId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: cancellations.userId })
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), isNull(cancellations.closedAt)))
  return [
    ...(await whoIsPresent(
      db,
      rows.map(({ userId }) => userId),
    )),
  ]
}

declare global {
  /** By session, one renewal at a time. One per process, because Next loads this module once per graph. */
  var debitdeskRenewals: Map<string, Promise<SessionTokens | null>> | undefined
}

/**
 * A renewal's lease; afterwards another process tries. Longer than any renewal, including reading the provider's
 * metadata: a provider treats a second use of a refresh token as theft and ends the sign-in.
 */
const LEASE_MS = MAX_REQUEST_MS + 14_000
const POLL_INTERVAL_MS = 200

/** Takes the lease for a renewal; false while another process holds it. */
async function acquireLease(db: Database, { sessionId, revision }: SessionTokens): Promise<boolean> {
  const taken = await db
    .update(providerTokens)
    .set({ renewingUntil: databaseTime(LEASE_MS) })
    .where(
      and(
        eq(providerTokens.sessionId, sessionId),
        eq(providerTokens.revision, revision),
        isPast(providerTokens.renewingUntil),
      ),
    )
    .returning({ sessionId: providerTokens.sessionId })
  return taken.length > 0
}

/** Releases the lease without new tokens, so that nobody waits for it to expire. */
async function releaseLease(db: Database, { sessionId, revision }: SessionTokens): Promise<void> {
  const isSame = and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision))
  await db.update(providerTokens).set({ renewingUntil: null }).where(isSame)
}

async function requestRenewal(db: Database, current: SessionTokens, refresh: string): Promise<void> {
  const { OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret = '' } = getSettings()
  const grant = { grant_type: 'refresh_token', refresh_token: refresh }
  try {
    const url = new URL((await readProviderMetadata()).token_endpoint)
    const given = await requestToken({ url, id, secret, grant }, 'basic')
    // A rotating refresh token replaces the previous one; otherwise that one stays valid.
    const tokens = { access: given.value, refresh: given.refresh ?? refresh }
    await replaceProviderTokens(db, current, tokens, new Date(Date.now() + given.lifetime))
  } catch (error) {
    const status = error instanceof AppError ? error.evidence.upstream?.status : undefined
    // The provider refused for good; after any other error the renewal may be retried.
    if (status === 400 || status === 401) await dropProviderTokens(db, current)
    else {
      await releaseLease(db, current)
      throw error
    }
  }
}

async function renew(db: Database, current: SessionTokens): Promise<SessionTokens | null> {
  const owner = { sessionId: current.sessionId }
  for (const until = Date.now() + LEASE_MS; Date.now() < until; ) {
    if (current.refresh !== null && (await acquireLease(db, current))) {
      await requestRenewal(db, current, current.refresh)
      return findProviderTokens(db, owner, new Date())
    }
    const now = await findProviderTokens(db, owner, new Date())
    if (now === null || now.revision !== current.revision || current.refresh === null) return now
    await wait(POLL_INTERVAL_MS)
  }
  throw new AppError('upstream-timeout', { detail: m.refusals_noAccessTokenCouldBeFetched(), written: false })
}

/**
 * Renews the access token of a sign-in, once for all concurrent callers and processes. Returns the current tokens, or
 * null when the provider refuses. Throws AppError 'upstream-unreachable', 'upstream-timeout' or 'upstream-credential',
 * always with evidence.written false.
 */
export function renewTokens(db: Database, current: SessionTokens): Promise<SessionTokens | null> {
  const running = (globalThis.debitdeskRenewals ??= new Map())
  const known = running.get(current.sessionId)
  if (known) return known
  const renewal = renew(db, current).finally(() => running.delete(current.sessionId))
  running.set(current.sessionId, renewal)
  return renewal
}
