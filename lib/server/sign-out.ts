import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { appendForUser } from './activity/append-for-user'
import { providerTokens } from './store/provider-schema'
import { sessions, users } from './store/schema'

/** Ends a sign-in at once and writes it down; one that had ended already stays as it is. */
export function signOut(db: Database, sessionId: string, now: Date): Promise<void> {
  return db.transaction(async (transaction) => {
    const [ended] = await transaction
      .update(sessions)
      .set({ endedAt: now })
      .where(and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
      .returning({ userId: sessions.userId })
    if (!ended) return
    await transaction.delete(providerTokens).where(eq(providerTokens.sessionId, sessionId))
    const [user] = await transaction.select({ email: users.email }).from(users).where(eq(users.id, ended.userId))
    await appendForUser(transaction, {
      person: ended,
      at: now,
      actor: user?.email ?? 'unknown',
      action: 'session.ended',
      objectKind: 'session',
      objectId: sessionId,
      details: {},
    })
  })
}
