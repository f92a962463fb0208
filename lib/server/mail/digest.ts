import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { dayInZone } from '@/lib/domain/dates/date'
import type { ClosingCount } from '@/lib/domain/overview'
import { findMemberSession } from '../auth/member-session'
import type { Session } from '../auth/session'
import { countClosing } from '../overview/closing-count'
import { describeError, log } from '../runtime/log'
import { getSettings } from '../runtime/settings'
import { MAX_SKEW_MS } from '../store/leases'
import { notificationChoices } from '../store/mail-schema'
import { needsPersonsToken } from '../upstream/connection'
import { findNextDigest } from './choices'
import { queueMail } from './queue-mail'

type Choice = typeof notificationChoices.$inferSelect

const MAX_PER_PASS = 100

const isChoice = ({ connectionId, userId, kind }: Choice) =>
  and(
    eq(notificationChoices.connectionId, connectionId),
    eq(notificationChoices.userId, userId),
    eq(notificationChoices.kind, kind),
  )

/** What a digest says; null where none is due: after a downtime of days, only today's is of any use. */
async function countForDigest(session: Session, nextAt: Date, now: number): Promise<ClosingCount | null> {
  const { SCHEME_ZONE: zone } = getSettings()
  const { connectionId } = session.scope
  if (needsPersonsToken(connectionId) || dayInZone(nextAt.getTime(), zone) !== dayInZone(now, zone)) return null
  const closing = await countClosing(session, now, true)
  return closing.count === 0 && closing.isComplete ? null : closing
}

async function sendDigest(db: Database, choice: Choice, now: number): Promise<void> {
  const { connectionId, userId, hour, nextAt } = choice
  if (hour === null || nextAt === null) return
  const isMine = isChoice(choice)
  const session = await findMemberSession(db, { connectionId, userId })
  if (!session) {
    await db.delete(notificationChoices).where(isMine)
    return
  }
  const closing = await countForDigest(session, nextAt, now)
  const day = dayInZone(now, getSettings().SCHEME_ZONE)
  await db.transaction(async (tx) => {
    // Several desks look at the same choices: one of them gets each day.
    const claimed = await tx
      .update(notificationChoices)
      .set({ nextAt: findNextDigest(hour, now) })
      .where(and(isMine, eq(notificationChoices.nextAt, nextAt)))
      .returning({ userId: notificationChoices.userId })
    if (claimed.length === 0 || closing === null) return
    const content = { kind: 'closing-today', ...closing } as const
    await queueMail(tx, { key: `closing-today ${connectionId} ${userId} ${day}`, userId, connectionId, content })
  })
}

/** Moves digests back that a clock which was ahead moved past their next time. */
async function correctTimes(db: Database, now: number): Promise<void> {
  for (const choice of await db.select().from(notificationChoices).where(isNotNull(notificationChoices.nextAt))) {
    const { hour, nextAt } = choice
    if (hour === null || nextAt === null || nextAt <= findNextDigest(hour, now + MAX_SKEW_MS)) continue
    await db
      .update(notificationChoices)
      .set({ nextAt: findNextDigest(hour, now) })
      .where(and(isChoice(choice), eq(notificationChoices.nextAt, nextAt)))
  }
}

/** Queues the digests that are due, until the desk stops. Throws store errors. */
export async function sendDueDigests(db: Database, now = Date.now()): Promise<void> {
  await correctTimes(db, now)
  const due = await db
    .select()
    .from(notificationChoices)
    .where(lte(notificationChoices.nextAt, new Date(now)))
    .orderBy(asc(notificationChoices.nextAt))
    .limit(MAX_PER_PASS)
  for (const choice of due) {
    if (globalThis.debitdeskStopping) return
    try {
      await sendDigest(db, choice, now)
    } catch (error) {
      log.warn({ event: 'digest-not-made', error: describeError(error) })
    }
  }
}
