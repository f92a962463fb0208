import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { type Role, roles } from '@/lib/contract/permission'
import type { Database } from '@/lib/database/open-database'
import { absoluteLifetime, idleLifetime } from './session-cookie'
import type { SessionClaims } from './session-token'
import { memberships, sessions, users } from './store/schema'

/** A sign-in that holds at this moment, as the store knows it. */
export type LiveSession = { sessionId: string; userId: string; email: string; role: Role; startedAt: Date }

const minute = 60_000

/** Begins a sign-in of a user and answers its id. */
export async function startSession(db: Database, userId: string, now: Date): Promise<string> {
  const id = randomUUID()
  await db.insert(sessions).values({ id, userId, createdAt: now, lastSeenAt: now })
  return id
}

function isRole(value: string): value is Role {
  return roles.some((role) => role === value)
}

/**
 * Reads a sign-in from the store: null when it has ended, was idle for 30 minutes, is older than 12
 * hours, or its user is disabled or has no (known) role at the connection. Everything is read afresh,
 * so a change counts from the next request. Notes that the session was seen, at most once a minute.
 */
export async function readLiveSession(
  db: Database,
  connectionId: string,
  { sid, sub }: SessionClaims,
  now: Date,
): Promise<LiveSession | null> {
  const [row] = await db
    .select({
      sessionId: sessions.id,
      userId: users.id,
      email: users.email,
      role: memberships.role,
      startedAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.connectionId, connectionId)))
    .where(and(eq(sessions.id, sid), eq(sessions.userId, sub), isNull(sessions.endedAt), isNull(users.disabledAt)))
  if (!row || !isRole(row.role)) return null
  const { lastSeenAt, role, ...session } = row
  if (now.getTime() - row.startedAt.getTime() >= absoluteLifetime * 1_000) return null
  const unseen = now.getTime() - lastSeenAt.getTime()
  if (unseen >= idleLifetime * 1_000) return null
  if (unseen >= minute) {
    await db
      .update(sessions)
      .set({ lastSeenAt: now })
      .where(and(eq(sessions.id, sid), lt(sessions.lastSeenAt, now)))
  }
  return { ...session, role }
}
