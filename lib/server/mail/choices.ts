import { and, eq, isNull } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Database } from '@/lib/database/database'
import { findNextRun } from '@/lib/domain/lists/export-schedule'
import {
  type MerchantNotifications,
  type NotificationChoice,
  notificationKinds,
  notificationPermissions,
  usualDigestHour,
} from '@/lib/domain/notifications'
import * as m from '@/lib/messages/m'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { notificationChoices } from '../store/mail-schema'
import { connections, memberships } from '../store/schema'
import { needsPersonsToken } from '../upstream/connection'

/** When a daily digest is due next; both in milliseconds since the epoch. */
export function findNextDigest(hour: number, after: number): Date {
  return new Date(findNextRun({ rhythm: 'daily', day: 1, hour }, after, getSettings().SCHEME_ZONE))
}

/** Of a digest the desk counts payments by itself, for which it needs a token that isn't a person's. */
const listOffered = (role: string, connectionId: string) =>
  notificationKinds.filter(
    (kind) =>
      hasPermission(role, notificationPermissions[kind]) &&
      (kind !== 'closing-today' || !needsPersonsToken(connectionId)),
  )

/** What the person is told of, at each merchant they work for; by name. */
export async function listNotifications(
  db: Database,
  { userId }: Pick<Session, 'userId'>,
): Promise<MerchantNotifications[]> {
  const rows = await db
    .select({
      connectionId: connections.connectionId,
      name: connections.name,
      kind: notificationChoices.kind,
      hour: notificationChoices.hour,
      role: memberships.role,
    })
    .from(memberships)
    .innerJoin(connections, and(eq(connections.connectionId, memberships.connectionId), isNull(connections.removedAt)))
    .leftJoin(
      notificationChoices,
      and(
        eq(notificationChoices.connectionId, memberships.connectionId),
        eq(notificationChoices.userId, memberships.userId),
      ),
    )
    .where(eq(memberships.userId, userId))
    .orderBy(connections.name, connections.connectionId)
  const merchants = new Map<string, MerchantNotifications>()
  for (const { connectionId, name, kind, hour, role } of rows) {
    const none = { connectionId, name, kinds: [], offered: listOffered(role, connectionId), hour: usualDigestHour }
    const known = merchants.get(connectionId) ?? none
    if (kind) known.kinds.push(kind)
    merchants.set(connectionId, hour === null ? known : { ...known, hour })
  }
  return [...merchants.values()]
}

/**
 * Sets or clears one of the person's notifications at a merchant they work for, and returns all of them there. Throws
 * AppError 'not-found' for another merchant, whether it exists or not, 'not-possible', and 'forbidden' where the role may
 * not read what it is about.
 */
export async function chooseNotification(
  db: Database,
  session: Pick<Session, 'userId'>,
  { connectionId, kind, isWanted, hour = usualDigestHour }: NotificationChoice,
  now = Date.now(),
): Promise<MerchantNotifications> {
  const find = async () => (await listNotifications(db, session)).find((one) => one.connectionId === connectionId)
  const known = await find()
  if (!known) throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchMerchant() })
  const isDigest = kind === 'closing-today'
  if (isWanted && isDigest && needsPersonsToken(connectionId))
    throw new AppError('not-possible', { detail: m.refusals_digestNeedsAToken() })
  if (isWanted && !known.offered.includes(kind)) throw new AppError('forbidden')
  const { userId } = session
  const { connectionId: ofMerchant, userId: ofUser, kind: ofKind } = notificationChoices
  if (isWanted) {
    const times = isDigest ? { hour, nextAt: findNextDigest(hour, now) } : { hour: null, nextAt: null }
    await db
      .insert(notificationChoices)
      .values({ connectionId, userId, kind, ...times })
      .onConflictDoUpdate({ target: [ofMerchant, ofUser, ofKind], set: times })
  } else {
    await db.delete(notificationChoices).where(and(eq(ofMerchant, connectionId), eq(ofUser, userId), eq(ofKind, kind)))
  }
  const chosen = await find()
  if (!chosen) throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchMerchant() })
  return chosen
}
