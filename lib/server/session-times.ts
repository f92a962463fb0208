import { eq } from 'drizzle-orm'
import type { SessionTimes } from '@/lib/contract/session-times'
import { Failure } from './failure'
import { absoluteLifetime, idleLifetime } from './session-cookie'
import { sessions } from './store/schema'
import { requireStore } from './store/require-store'

/** How long a session still holds. Throws Failure 'signed-out' where it has just gone. */
export async function readSessionTimes(sessionId: string, now = new Date()): Promise<SessionTimes> {
  const db = await requireStore()
  const [row] = await db
    .select({ createdAt: sessions.createdAt, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  if (!row) throw new Failure('signed-out')
  const left = (since: Date, lifetime: number) =>
    Math.max(0, Math.floor(lifetime - (now.getTime() - since.getTime()) / 1_000))
  return { idleLeft: left(row.lastSeenAt, idleLifetime), left: left(row.createdAt, absoluteLifetime) }
}
