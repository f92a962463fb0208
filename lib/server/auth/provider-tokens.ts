import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { AppError } from '../runtime/app-error'
import { getRequestContext } from '../runtime/request-context'
import { getSettings } from '../runtime/settings'
import { providerTokens } from '../store/auth-schema'
import { decryptSecret, encryptSecret } from '../store/encryption'
import { isPast } from '../store/leases'
import { cancellations, sessions, users } from '../store/schema'
import { MAX_REQUEST_MS, requestToken } from '../upstream/access-tokens'
import { readProviderMetadata } from './openid-provider'
import { absoluteLifetime, idleLifetime } from './session-cookie'
import * as refusals from '@/lib/words/refusals'

/** With whose access token the service is asked: of one sign-in, or of the user's newest. */
export type TokenOwner = { sessionId: string } | { userId: string }

declare global {
  /** One per process: Next loads this module once per graph. */
  var debitdeskTokenOwner: AsyncLocalStorage<TokenOwner> | undefined
}

function getStorage(): AsyncLocalStorage<TokenOwner> {
  return (globalThis.debitdeskTokenOwner ??= new AsyncLocalStorage())
}

/** Runs work of the desk's own in the name of a user; whatever it begins, later too, stays so. */
export function runAsTokenOwner<Result>(owner: TokenOwner, run: () => Result): Result {
  return getStorage().run(owner, run)
}

/** In whose name the work going on asks the service: who it was given to, else who made the request; null for nobody. */
export function getTokenOwner(): TokenOwner | null {
  const owner = getStorage().getStore()
  if (owner) return owner
  const sessionId = getRequestContext()?.sessionId
  return sessionId === undefined ? null : { sessionId }
}

/** What is kept of a provider's tokens: the user's own access token, and what renews it. */
const kept = z.object({ access: z.string(), refresh: z.string().nullable() })
export type KeptTokens = z.output<typeof kept>

/** As a token endpoint gives them. `expiresAt` is a moment; without one, a short life is assumed. */
export type GivenTokens = { access: string | null; refresh: string | null; expiresAt: Date | null }

/** What is assumed of a token that does not say how long it lives, in milliseconds. */
const silentLifetime = 300_000

/** Bound to its session: sealed text that is moved to another row does not open there. */
export const tokensPurpose = (sessionId: string) => `provider tokens of session ${sessionId}`

/** What next-auth hands on of the token endpoint's answer. */
export function readGivenTokens(account: Readonly<Record<string, unknown>>): GivenTokens {
  const { access_token: access, refresh_token: refresh, expires_at: expires } = account
  return {
    access: typeof access === 'string' ? access : null,
    refresh: typeof refresh === 'string' ? refresh : null,
    expiresAt: typeof expires === 'number' ? new Date(expires * 1_000) : null,
  }
}

function seal(sessionId: string, tokens: KeptTokens): string {
  return encryptSecret(JSON.stringify(tokens), tokensPurpose(sessionId))
}

/**
 * Keeps what a sign-in brought, sealed; in its transaction. Without an access token nothing is kept. What sign-ins that
 * have ended left behind goes.
 */
export async function keepProviderTokens(
  tx: Database,
  sessionId: string,
  given: GivenTokens,
  now: Date,
): Promise<void> {
  const ended = tx.select({ id: sessions.id }).from(sessions).where(isNotNull(sessions.endedAt))
  await tx.delete(providerTokens).where(inArray(providerTokens.sessionId, ended))
  if (given.access === null) return
  const tokens = seal(sessionId, { access: given.access, refresh: given.refresh })
  const expiresAt = given.expiresAt ?? new Date(now.getTime() + silentLifetime)
  await tx.insert(providerTokens).values({ sessionId, tokens, expiresAt })
}

/** The tokens of a sign-in that still holds, of the user's newest where `sessionId` is null. */
export type HeldTokens = KeptTokens & { sessionId: string; expiresAt: Date; revision: number }

/** Null where there is none, or where they were sealed with an earlier secret. */
export async function findProviderTokens(
  db: Database,
  owner: { sessionId: string } | { userId: string },
  now: Date,
): Promise<HeldTokens | null> {
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
        gt(sessions.createdAt, new Date(now.getTime() - absoluteLifetime * 1_000)),
        gt(sessions.lastSeenAt, new Date(now.getTime() - idleLifetime * 1_000)),
      ),
    )
    .orderBy(sql`${sessions.createdAt} desc`)
  for (const { tokens, ...row } of rows) {
    const text = decryptSecret(tokens, tokensPurpose(row.sessionId))
    const read = text === null ? null : kept.safeParse(JSON.parse(text))
    if (read?.success) return { ...read.data, ...row }
  }
  return null
}

/** Replaces tokens that were renewed; false where somebody else has done so since `revision`. */
export async function replaceProviderTokens(
  db: Database,
  { sessionId, revision }: Pick<HeldTokens, 'sessionId' | 'revision'>,
  tokens: KeptTokens,
  expiresAt: Date,
): Promise<boolean> {
  const changed = await db
    .update(providerTokens)
    .set({
      tokens: seal(sessionId, tokens),
      expiresAt,
      revision: sql`${providerTokens.revision} + 1`,
      renewingUntil: null,
    })
    .where(and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision)))
    .returning({ sessionId: providerTokens.sessionId })
  return changed.length > 0
}

/** Forgets tokens that the provider takes no more. */
export async function dropProviderTokens(
  db: Database,
  { sessionId, revision }: Pick<HeldTokens, 'sessionId' | 'revision'>,
): Promise<void> {
  await db
    .delete(providerTokens)
    .where(and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision)))
}

/** Of these users, those with whose access token the service can be asked now. */
export async function whoIsPresent(db: Database, userIds: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>()
  for (const userId of new Set(userIds)) {
    if (await findProviderTokens(db, { userId }, new Date())) present.add(userId)
  }
  return present
}

/** Users with open cancellations at a connection who are signed in: the work of all others waits for them. */
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
  /** By session: one renewal at a time. One per process: Next loads this module once per graph. */
  var debitdeskRenewals: Map<string, Promise<HeldTokens | null>> | undefined
}

/**
 * How long one process may take, in milliseconds; another then tries itself. More than a renewal can need, with the
 * provider's metadata read first: a provider takes a second use of one refresh token for theft and ends the sign-in.
 */
const turn = MAX_REQUEST_MS + 14_000
const look = 200

/** Takes the turn to renew; false while another process has it. */
async function takeTurn(db: Database, { sessionId, revision }: HeldTokens): Promise<boolean> {
  const taken = await db
    .update(providerTokens)
    .set({ renewingUntil: databaseTime(turn) })
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

/** Gives the turn back without new tokens, so that nobody waits for its end. */
async function leaveTurn(db: Database, { sessionId, revision }: HeldTokens): Promise<void> {
  const isThis = and(eq(providerTokens.sessionId, sessionId), eq(providerTokens.revision, revision))
  await db.update(providerTokens).set({ renewingUntil: null }).where(isThis)
}

async function ask(db: Database, held: HeldTokens, refresh: string): Promise<void> {
  const { OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret = '' } = getSettings()
  const grant = { grant_type: 'refresh_token', refresh_token: refresh }
  try {
    const url = new URL((await readProviderMetadata()).token_endpoint)
    const given = await requestToken({ url, id, secret, grant }, 'basic')
    // A refresh token that rotates replaces the one before; one that does not stays.
    const tokens = { access: given.value, refresh: given.refresh ?? refresh }
    await replaceProviderTokens(db, held, tokens, new Date(Date.now() + given.lifetime))
  } catch (error) {
    const status = error instanceof AppError ? error.evidence.upstream?.status : undefined
    // The provider's own word that it is over; whatever else failed may be tried again.
    if (status === 400 || status === 401) await dropProviderTokens(db, held)
    else {
      await leaveTurn(db, held)
      throw error
    }
  }
}

async function renew(db: Database, held: HeldTokens): Promise<HeldTokens | null> {
  const owner = { sessionId: held.sessionId }
  for (const until = Date.now() + turn; Date.now() < until; ) {
    if (held.refresh !== null && (await takeTurn(db, held))) {
      await ask(db, held, held.refresh)
      return findProviderTokens(db, owner, new Date())
    }
    const now = await findProviderTokens(db, owner, new Date())
    if (now === null || now.revision !== held.revision || held.refresh === null) return now
    await wait(look)
  }
  throw new AppError('upstream-timeout', { detail: refusals.noAccessTokenCouldBeFetched, written: false })
}

/**
 * Renews the access token of a sign-in, once however many ask at the same time; in another process too. Answers the
 * tokens as they then are, or null where the provider gives no more. Throws AppError 'upstream-unreachable',
 * 'upstream-timeout' or 'upstream-credential', always with evidence.written false.
 */
export function renewTokens(db: Database, held: HeldTokens): Promise<HeldTokens | null> {
  const running = (globalThis.debitdeskRenewals ??= new Map())
  const known = running.get(held.sessionId)
  if (known) return known
  const renewal = renew(db, held).finally(() => running.delete(held.sessionId))
  running.set(held.sessionId, renewal)
  return renewal
}
