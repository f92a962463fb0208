import type { FactorDue, ProvenFactor } from '@/lib/domain/second-factor'
import { findLanguage, type Language } from '@/lib/language/runtime'
import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNotNull, isNull, lt, notInArray, sql } from 'drizzle-orm'
import { type Role, roles } from '@/lib/api-contract/permission'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { AppError } from '../runtime/app-error'
import { getRequestContext } from '../runtime/request-context'
import { hasFactor } from '../store/factor-schema'
import { connections, memberships, sessions, users } from '../store/schema'
import { CachedUntilWrite } from '../store/store'
import { deleteProviderTokens, moveProviderTokens } from './provider-tokens'
import { absoluteLifetime, idleLifetime } from './session-cookie'
import type { SessionClaims } from './session-token'

const browsers: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\/(\d+)/u, 'Edge'],
  [/OPR\/(\d+)/u, 'Opera'],
  [/SamsungBrowser\/(\d+)/u, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\/(\d+)/u, 'Firefox'],
  [/(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/u, 'Chrome'],
  [/Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari/u, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/u, 'iOS'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/Mac OS X|Macintosh/u, 'macOS'],
  [/CrOS/u, 'ChromeOS'],
  [/Linux/u, 'Linux'],
]

/**
 * A browser's name, such as `Firefox 141 (Windows)`; null when unknown. Without words, because it is stored and read in any
 * language. No other part of the header is used.
 */
export function describeBrowser(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, 500)
  const [, name, version] =
    browsers.flatMap(([pattern, browser]) => {
      const found = pattern.exec(text)
      return found ? [[found[0], browser, found[1]?.slice(0, 4)]] : []
    })[0] ?? []
  const system = systems.find(([pattern]) => pattern.test(text))?.[1]
  if (!name) return system ?? null
  return `${name} ${version}${system ? ` (${system})` : ''}`
}

/** Concurrent sign-ins per user: a further one ends the one unseen for longest (SE-25). */
const MAX_SESSIONS = 20
const MAX_PENDING_SESSIONS = 3

/** `provenAt` is when the user last authenticated, by default now by the database's clock. */
type Proof = { provenAt?: Date; factor?: ProvenFactor | null }

/** Starts a user's sign-in and returns its id; the row has the client's address and browser. */
export async function startSession(db: Database, userId: string, now: Date, proof: Proof = {}): Promise<string> {
  const { provenAt = databaseTime(), factor = null } = proof
  const id = randomUUID()
  const { peer, userAgent } = getRequestContext() ?? {}
  const browser = describeBrowser(userAgent ?? null)
  await db.insert(sessions).values({ id, userId, createdAt: now, lastSeenAt: now, provenAt, factor, peer, browser })
  await endSurplusSessions(db, userId, now)
  return id
}

/**
 * Lets a sign-in whose second factor was just proven go on under a new id, which is returned: whoever planted the cookie
 * of the one without it in somebody's browser gains nothing. The transaction must have proven the factor and locked the
 * account. Throws AppError 'signed-out' if the sign-in has ended.
 */
export async function renewSessionId(
  tx: Database,
  sessionId: string,
  factor: ProvenFactor,
  now: Date,
): Promise<string> {
  const isOpen = and(eq(sessions.id, sessionId), isNull(sessions.endedAt))
  const [known] = await tx.select().from(sessions).where(isOpen).for('update')
  if (!known) throw new AppError('signed-out')
  const id = randomUUID()
  await tx.insert(sessions).values({ ...known, id, factor, provenAt: databaseTime() })
  await moveProviderTokens(tx, sessionId, id)
  await tx.update(sessions).set({ endedAt: now }).where(eq(sessions.id, sessionId))
  return id
}

/**
 * Ends the sign-ins of a user beyond the limit, those unseen for longest first. Sign-ins that lack the account's factor
 * are counted apart: whoever knows only the password must not end the owner's.
 */
export async function endSurplusSessions(db: Database, userId: string, now: Date): Promise<void> {
  const [user] = await db.select({ hasFactor }).from(users).where(eq(users.id, userId))
  const limits = user?.hasFactor
    ? ([
        [isNull(sessions.factor), MAX_PENDING_SESSIONS],
        [isNotNull(sessions.factor), MAX_SESSIONS],
      ] as const)
    : ([[undefined, MAX_SESSIONS]] as const)
  for (const [ofKind, most] of limits) {
    const open = and(eq(sessions.userId, userId), isNull(sessions.endedAt), ofKind)
    const newest = db
      .select({ id: sessions.id })
      .from(sessions)
      .where(open)
      .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
      .limit(most)
    const ended = await db
      .update(sessions)
      .set({ endedAt: now })
      .where(and(open, notInArray(sessions.id, newest)))
      .returning({ id: sessions.id })
    await deleteProviderTokens(db, ended)
  }
}

/** Whether a stored value is a known role. */
export function isRole(value: string): value is Role {
  return roles.some((role) => role === value)
}

/** A merchant that a user may work for, with the role there. */
export type Merchant = {
  connectionId: string
  name: string
  role: Role
  mode: 'live' | 'test' | null
  revision: number
}

/** A valid sign-in. */
export type LiveSession = {
  sessionId: string
  userId: string
  email: string
  startedAt: Date
  /** Whether the account has a password here rather than only an OpenID provider. */
  hasPassword: boolean
  /** By name; at least one. */
  merchants: readonly [Merchant, ...Merchant[]]
  /** The merchant opened last, in any tab or sign-in. */
  lastConnectionId: string | null
  /** The account's own language; null for the browser's. */
  language: Language | null
  factor: ProvenFactor | null
  /** Whether the account has an app or a passkey. */
  hasFactor: boolean
  /** Whether a merchant requires a factor of this user's role there. */
  needsFactor: boolean
}

type StoredSession = Omit<LiveSession, 'merchants'> & { lastSeenAt: Date; merchants: readonly Merchant[] }

/** The stored sign-in, unless it has ended or its user is disabled. */
async function readStoredSession(db: Database, { sid, sub }: SessionClaims): Promise<StoredSession | null> {
  const rows = await db
    .select({
      sessionId: sessions.id,
      userId: users.id,
      email: users.email,
      startedAt: sessions.createdAt,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      lastSeenAt: sessions.lastSeenAt,
      lastConnectionId: users.lastConnectionId,
      language: users.language,
      connectionId: connections.connectionId,
      name: connections.name,
      role: memberships.role,
      mode: sql<'live' | 'test' | null>`${connections.settings}->>'mode'`,
      revision: connections.revision,
      factor: sessions.factor,
      hasFactor,
      factorRoles: connections.factorRoles,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .where(and(eq(sessions.id, sid), eq(sessions.userId, sub), isNull(sessions.endedAt), isNull(users.disabledAt)))
    .orderBy(connections.name, connections.connectionId)
  const merchants = rows.flatMap(({ connectionId, name, role, mode, revision }): Merchant[] =>
    isRole(role) ? [{ connectionId, name, role, mode, revision }] : [],
  )
  const [row] = rows
  if (!row) return null
  const { sessionId, userId, email, startedAt, hasPassword, lastSeenAt, lastConnectionId, language } = row
  return {
    sessionId,
    userId,
    email,
    startedAt,
    hasPassword,
    lastSeenAt,
    lastConnectionId,
    merchants,
    factor: row.factor,
    hasFactor: row.hasFactor,
    language: language === null ? null : findLanguage(language),
    needsFactor: rows.some(({ role, factorRoles: required }) => isRole(role) && required.includes(role)),
  }
}

const MINUTE_MS = 60_000

/** How long a sign-in may lack its second factor. */
const MAX_PENDING_MS = 15 * MINUTE_MS

/** What a sign-in lacks: the factor that the account has, or one that a merchant requires; null for nothing. */
export function getFactorDue({
  factor,
  hasFactor,
  needsFactor,
}: Pick<LiveSession, 'factor' | 'hasFactor' | 'needsFactor'>): FactorDue | null {
  if (factor !== null) return null
  if (hasFactor) return 'enter'
  return needsFactor ? 'enrol' : null
}

type ReadOptions = { quiet?: boolean; pending?: boolean; countWrites?: (() => number) | undefined }

const cache = new CachedUntilWrite<StoredSession | null>()

/**
 * Reads a sign-in from the store: null when it has ended, was idle for 30 minutes, is older than 12 hours, or its user is
 * disabled or has no known role at any merchant. Changes take effect with the next request: it is read anew unless
 * `countWrites` shows that the store is unchanged. Records that the session was seen, at most once a minute; not with
 * `quiet`, so that a page's background requests keep nobody signed in.
 *
 * A sign-in that lacks its second factor is none: it is read only with `pending`, within 15 minutes of the password.
 */
export async function readLiveSession(
  db: Database,
  claims: SessionClaims,
  now: Date,
  { quiet = false, pending = false, countWrites }: ReadOptions = {},
): Promise<LiveSession | null> {
  const { sid, sub } = claims
  const known = await cache.read(`${sid} ${sub}`, countWrites, () => readStoredSession(db, claims))
  if (!known) return null
  const { lastSeenAt, merchants, ...session } = known
  const [first, ...others] = merchants
  if (!first || now.getTime() - session.startedAt.getTime() >= absoluteLifetime * 1_000) return null
  if (getFactorDue(session) !== null) {
    if (now.getTime() - session.startedAt.getTime() >= MAX_PENDING_MS) {
      // For good: it must not come back when the last factor is removed.
      await db.update(sessions).set({ endedAt: now }).where(eq(sessions.id, sid))
      await deleteProviderTokens(db, [{ id: sid }])
      return null
    }
    if (!pending) return null
  }
  const unseen = now.getTime() - lastSeenAt.getTime()
  if (unseen >= idleLifetime * 1_000) return null
  if (unseen >= MINUTE_MS && !quiet) {
    await db
      .update(sessions)
      .set({ lastSeenAt: now })
      .where(and(eq(sessions.id, sid), lt(sessions.lastSeenAt, now)))
  }
  return { ...session, merchants: [first, ...others] }
}
