import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNull, lt, notInArray, sql } from 'drizzle-orm'
import { type Role, roles } from '@/lib/api-contract/permission'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { getRequestContext } from '../runtime/request-context'
import { connections, memberships, sessions, users } from '../store/schema'
import { CachedUntilWrite } from '../store/store'
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

/** A browser in our words, such as `Firefox 141 on Windows`; null for one that nobody would recognise. Nothing of the header goes through. */
export function describeBrowser(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, 500)
  const [, name, version] =
    browsers.flatMap(([pattern, browser]) => {
      const found = pattern.exec(text)
      return found ? [[found[0], browser, found[1]?.slice(0, 4)]] : []
    })[0] ?? []
  const system = systems.find(([pattern]) => pattern.test(text))?.[1]
  if (!name) return system ?? null
  return `${name} ${version}${system ? ` on ${system}` : ''}`
}

/** A merchant that somebody may work for, and as what. */
export type Merchant = {
  connectionId: string
  name: string
  role: Role
  mode: 'live' | 'test' | null
  revision: number
}

/** A sign-in that holds at this moment, as the store knows it. */
export type LiveSession = {
  sessionId: string
  userId: string
  email: string
  startedAt: Date
  /** Whether the account has a password here, or comes from a provider alone. */
  hasPassword: boolean
  /** At least one, by name. */
  merchants: readonly [Merchant, ...Merchant[]]
  /** The merchant whose page was opened last, in any tab or sign-in. */
  lastConnectionId: string | null
}

const minute = 60_000

/** Sign-ins of one user that hold at a time: one more ends the one that was longest unseen (SE-25). */
const mostSessions = 20

/**
 * Begins a sign-in of a user and answers its id; the row says where from and with what. `provenAt` is when they last
 * showed who they are, now by the database's clock if it isn't said.
 */
export async function startSession(db: Database, userId: string, now: Date, provenAt?: Date): Promise<string> {
  const id = randomUUID()
  const { peer, userAgent } = getRequestContext() ?? {}
  const browser = describeBrowser(userAgent ?? null)
  await db
    .insert(sessions)
    .values({ id, userId, createdAt: now, lastSeenAt: now, provenAt: provenAt ?? databaseTime(), peer, browser })
  const kept = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
    .limit(mostSessions)
  await db
    .update(sessions)
    .set({ endedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), notInArray(sessions.id, kept)))
  return id
}

/** Whether a stored word is a role that this desk knows. */
export function isRole(value: string): value is Role {
  return roles.some((role) => role === value)
}

/** Whether a user may still read at a merchant: in its team, with a role that this desk knows, and not disabled. */
export async function isStillMember(
  db: Database,
  { userId, scope }: { userId: string; scope: { connectionId: string } },
): Promise<boolean> {
  const [member] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(connections, eq(connections.connectionId, memberships.connectionId))
    .where(
      and(
        eq(memberships.connectionId, scope.connectionId),
        eq(memberships.userId, userId),
        isNull(users.disabledAt),
        isNull(connections.removedAt),
      ),
    )
  return member !== undefined && isRole(member.role)
}

type StoredSession = Omit<LiveSession, 'merchants'> & { lastSeenAt: Date; merchants: readonly Merchant[] }

/** What stands in the store of a sign-in that has not ended, of a user who is not disabled. */
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
      connectionId: connections.connectionId,
      name: connections.name,
      role: memberships.role,
      mode: sql<'live' | 'test' | null>`${connections.settings}->>'mode'`,
      revision: connections.revision,
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
  const { sessionId, userId, email, startedAt, hasPassword, lastSeenAt, lastConnectionId } = row
  return { sessionId, userId, email, startedAt, hasPassword, lastSeenAt, lastConnectionId, merchants }
}

const stored = new CachedUntilWrite<StoredSession | null>()

/**
 * Reads a sign-in from the store: null when it has ended, was idle for 30 minutes, is older than 12
 * hours, or its user is disabled or has no (known) role at any merchant. It is as the store has it now, so a change
 * counts from the next request: read afresh, unless `countWrites` says that nothing in the store has changed since it
 * was. Notes that the session was seen, at most once a minute, unless `quiet`: a page that asks by itself keeps
 * nobody signed in.
 */
export async function readLiveSession(
  db: Database,
  claims: SessionClaims,
  now: Date,
  { quiet = false, countWrites }: { quiet?: boolean; countWrites?: (() => number) | undefined } = {},
): Promise<LiveSession | null> {
  const { sid, sub } = claims
  const known = await stored.read(`${sid} ${sub}`, countWrites, () => readStoredSession(db, claims))
  if (!known) return null
  const { lastSeenAt, merchants, ...session } = known
  const [first, ...others] = merchants
  if (!first || now.getTime() - session.startedAt.getTime() >= absoluteLifetime * 1_000) return null
  const unseen = now.getTime() - lastSeenAt.getTime()
  if (unseen >= idleLifetime * 1_000) return null
  if (unseen >= minute && !quiet) {
    await db
      .update(sessions)
      .set({ lastSeenAt: now })
      .where(and(eq(sessions.id, sid), lt(sessions.lastSeenAt, now)))
  }
  return { ...session, merchants: [first, ...others] }
}
