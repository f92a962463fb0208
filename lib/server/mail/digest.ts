import { and, asc, eq, lte } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { dayInZone } from '@/lib/domain/date'
import { findMemberSession } from '../auth/member-session'
import { countClosing } from '../overview/closing-count'
import { describeError, log } from '../runtime/log'
import { getSettings } from '../runtime/settings'
import { notificationChoices } from '../store/mail-schema'
import { canCountAlone, findNextDigest } from './choices'
import { queueMail } from './queue-mail'

type Choice = typeof notificationChoices.$inferSelect

const MAX_PER_PASS = 100

async function sendDigest(db: Database, choice: Choice, now: number): Promise<void> {
  const { connectionId, userId, kind, hour, nextAt } = choice
  if (hour === null || nextAt === null) return
  const isMine = and(
    eq(notificationChoices.connectionId, connectionId),
    eq(notificationChoices.userId, userId),
    eq(notificationChoices.kind, kind),
  )
  // Several desks look at the same choices: one of them gets each day.
  const claimed = await db
    .update(notificationChoices)
    .set({ nextAt: findNextDigest(hour, now) })
    .where(and(isMine, eq(notificationChoices.nextAt, nextAt)))
    .returning({ userId: notificationChoices.userId })
  if (claimed.length === 0 || !canCountAlone()) return
  const day = dayInZone(now, getSettings().SCHEME_ZONE)
  // After a downtime of days, only today's is of any use.
  if (dayInZone(nextAt.getTime(), getSettings().SCHEME_ZONE) !== day) return
  const session = await findMemberSession(db, { connectionId, userId })
  if (!session) {
    await db.delete(notificationChoices).where(isMine)
    return
  }
  const { count, isComplete } = await countClosing(session, now)
  if (count === 0 && isComplete) return
  const content = { kind: 'closing-today', count, isComplete } as const
  await queueMail(db, { key: `closing-today ${connectionId} ${userId} ${day}`, userId, connectionId, content })
}

/** Queues the digests that are due. Throws store errors. */
export async function sendDueDigests(db: Database, now = Date.now()): Promise<void> {
  const due = await db
    .select()
    .from(notificationChoices)
    .where(lte(notificationChoices.nextAt, new Date(now)))
    .orderBy(asc(notificationChoices.nextAt))
    .limit(MAX_PER_PASS)
  for (const choice of due) {
    try {
      await sendDigest(db, choice, now)
    } catch (error) {
      log.warn({ event: 'digest-not-made', error: describeError(error) })
    }
  }
}
