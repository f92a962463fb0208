import { and, eq, isNull, sql } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/store-clock'
import { Failure } from './failure'
import type { Session } from './session'
import { sessions, users } from './store/schema'
import { requireStore } from './store/require-store'
import * as refusals from '@/lib/words/refusals'

/** How long a proven password counts, in milliseconds. */
const recent = 5 * 60_000

/** The Failure 'step-up' for somebody, as `requireRecentPassword` throws it. `why` is told where they could not know. */
export function makeStepUp(account: { passwordHash: string | null } | undefined, why?: string): Failure {
  return new Failure('step-up', {
    detail: [why, refusals.thisNeedsYourPassword].filter(Boolean).join(' '),
    extensions: { proof: account?.passwordHash === null ? 'provider' : 'password', ...(why && { why }) },
  })
}

/**
 * Makes sure that whoever asks has shown in the last five minutes who they are, for what weighs most: bulk
 * cancellation, the team, merchants, callback addresses and whole lists (docs/decisions/0123-limits-for-people.md). Throws Failure 'step-up', whose record says `proof`: `password` is asked for
 * again (POST /api/desk/sessions/current/proof), `provider` means to sign in again where the account comes from.
 */
export async function requireRecentPassword(session: Session, now?: Date): Promise<void> {
  const db = await requireStore()
  const [row] = await db
    .select({
      provenAt: sessions.provenAt,
      // By the clock that it was written by: desks differ.
      age: sql<number>`extract(epoch from ${databaseTime()} - ${sessions.provenAt})::float8 * 1000`,
      passwordHash: users.passwordHash,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, session.sessionId), eq(sessions.userId, session.userId), isNull(sessions.endedAt)))
  const age = row && (now ? now.getTime() - row.provenAt.getTime() : row.age)
  if (age !== undefined && age < recent) return
  throw makeStepUp(row)
}
