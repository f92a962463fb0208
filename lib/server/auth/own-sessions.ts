import { and, desc, eq, gt, isNull, ne } from 'drizzle-orm'
import type { OwnSessions, SessionTimes } from '@/lib/domain/accounts'
import { appendUserActivity } from '../activity-log/append'
import { AppError } from '../runtime/app-error'
import { sessions } from '../store/schema'
import { requireStore } from '../store/store'
import { deleteProviderTokens } from './provider-tokens'
import type { Session } from './session'
import { absoluteLifetime, idleLifetime } from './session-cookie'
import { lockAccount } from './users'
import * as m from '@/lib/messages/m'

/** How long a session stays valid. Throws AppError 'signed-out' if it has just ended. */
export async function readSessionTimes(sessionId: string, now = new Date()): Promise<SessionTimes> {
  const db = await requireStore()
  const [row] = await db
    .select({ createdAt: sessions.createdAt, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  if (!row) throw new AppError('signed-out')
  const left = (since: Date, lifetime: number) =>
    Math.max(0, Math.floor(lifetime - (now.getTime() - since.getTime()) / 1_000))
  return { idleLeft: left(row.lastSeenAt, idleLifetime), left: left(row.createdAt, absoluteLifetime) }
}

const isLive = (userId: string, now: Date) =>
  and(
    eq(sessions.userId, userId),
    isNull(sessions.endedAt),
    gt(sessions.lastSeenAt, new Date(now.getTime() - idleLifetime * 1_000)),
    gt(sessions.createdAt, new Date(now.getTime() - absoluteLifetime * 1_000)),
  )

/** The user's own valid sign-ins, newest first. */
export async function listOwnSessions({ userId, sessionId }: Session, now = new Date()): Promise<OwnSessions> {
  const db = await requireStore()
  const rows = await db.select().from(sessions).where(isLive(userId, now)).orderBy(desc(sessions.createdAt))
  return {
    sessions: rows.map(({ id, createdAt, lastSeenAt, peer, browser }) => ({
      sessionId: id,
      isCurrent: id === sessionId,
      startedAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      peer,
      browser,
    })),
  }
}

/** Ends one of the user's own sign-ins, or with null all but this one. Throws AppError 'not-found'. */
export async function endOwnSessions(session: Session, which: string | null, now = new Date()): Promise<void> {
  const db = await requireStore()
  const { userId, sessionId } = session
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const chosen = which === null ? ne(sessions.id, sessionId) : eq(sessions.id, which)
    const ended = await tx
      .update(sessions)
      .set({ endedAt: now })
      .where(and(isLive(userId, now), chosen))
      .returning({ id: sessions.id })
    if (which !== null && ended.length === 0)
      throw new AppError('not-found', { detail: m.refusals_thisSignInHasEndedAlready() })
    if (ended.length === 0) return
    await deleteProviderTokens(tx, ended)
    await appendUserActivity(tx, {
      person: session,
      at: now,
      actor: session.email,
      action: 'session.ended',
      objectKind: 'session',
      objectId: which ?? sessionId,
      details: which === null ? { others: ended.length } : {},
    })
  })
}
