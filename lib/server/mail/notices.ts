import { and, eq, inArray, isNull, min, sql } from 'drizzle-orm'
import { databaseTime } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { choiceFor, type NoticeKind, type NotificationKind } from '@/lib/domain/notifications'
import { notices, notificationChoices } from '../store/mail-schema'
import { connections, memberships, users } from '../store/schema'
import { queueMail } from './queue-mail'
import { isMailSet } from './transport'

const MINUTE_MS = 60_000
/** How long is waited for more of a kind, so that many at once become one mail. */
const PAUSES_MS: Record<NoticeKind, number> = {
  'needs-person': MINUTE_MS,
  rejected: 15 * MINUTE_MS,
  chargeback: 15 * MINUTE_MS,
  'bulk-done': MINUTE_MS,
  'export-ready': MINUTE_MS,
  'export-stopped': MINUTE_MS,
}

/** Subjects named one by one; the rest is only counted. */
const MAX_SUBJECTS = 10

type NewNotice = {
  /** Names the event, so that it is noted once. */
  key: string
  connectionId: string
  kind: NoticeKind
  /** The id of the payment, the bulk or the export. */
  subject: string
  /** Whom alone it concerns. */
  userId?: string
}

/** Notes what people may want to be told of, in the transaction in which it happens; nothing without a mail server. */
export async function noteForMail(tx: Database, notice: NewNotice): Promise<void> {
  if (isMailSet()) await tx.insert(notices).values(notice).onConflictDoNothing()
}

type Group = { connectionId: string; kind: NotificationKind | NoticeKind; userId: string | null }

/** Members of the merchant who chose to be told; the right is checked again when the mail is sent. */
function findReaders(tx: Database, { connectionId, kind, userId }: Group) {
  return tx
    .select({ userId: notificationChoices.userId })
    .from(notificationChoices)
    .innerJoin(
      memberships,
      and(
        eq(memberships.userId, notificationChoices.userId),
        eq(memberships.connectionId, notificationChoices.connectionId),
      ),
    )
    .innerJoin(users, eq(users.id, notificationChoices.userId))
    .innerJoin(connections, eq(connections.connectionId, notificationChoices.connectionId))
    .where(
      and(
        eq(notificationChoices.connectionId, connectionId),
        eq(notificationChoices.kind, choiceFor(kind)),
        isNull(users.disabledAt),
        isNull(connections.removedAt),
        userId === null ? undefined : eq(users.id, userId),
      ),
    )
}

async function handleGroup(tx: Database, group: Group): Promise<void> {
  const { connectionId, kind, userId } = group
  if (kind === 'closing-today') return
  const isOpen = and(
    eq(notices.connectionId, connectionId),
    eq(notices.kind, kind),
    userId === null ? isNull(notices.userId) : eq(notices.userId, userId),
    isNull(notices.handledAt),
  )
  // Two desks look at the same notices: one of them gets each.
  const open = tx.select({ key: notices.key }).from(notices).where(isOpen).for('update', { skipLocked: true })
  const handled = await tx
    .update(notices)
    .set({ handledAt: databaseTime() })
    .where(inArray(notices.key, open))
    .returning({ key: notices.key, subject: notices.subject })
  const sorted = handled.toSorted((one, other) => one.key.localeCompare(other.key, 'en'))
  const [first] = sorted
  if (!first) return
  const subjects = [...new Set(sorted.map(({ subject }) => subject))]
  const content = { kind, count: subjects.length, subjects: subjects.slice(0, MAX_SUBJECTS) }
  for (const reader of await findReaders(tx, group))
    await queueMail(tx, { key: `${first.key} to ${reader.userId}`, userId: reader.userId, connectionId, content })
}

/** Makes mails of what was noted, one for all of a kind at a merchant. Throws store errors. */
export async function handleNotices(db: Database): Promise<void> {
  const { connectionId, kind, userId, createdAt, handledAt } = notices
  const groups = await db
    .select({
      connectionId,
      kind,
      userId,
      age: sql<number>`extract(epoch from ${databaseTime()} - ${min(createdAt)})::float8 * 1000`,
    })
    .from(notices)
    .where(isNull(handledAt))
    .groupBy(connectionId, kind, userId)
  for (const { age, ...group } of groups) {
    // One from the future was noted by a clock that was ahead.
    if (group.kind !== 'closing-today' && (age >= PAUSES_MS[group.kind] || age < 0))
      await db.transaction((tx) => handleGroup(tx, group))
  }
}
