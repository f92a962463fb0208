import type { Permission } from '../api-contract/permission'

/** What a person may be told of by mail, chosen per merchant. `closing-today` comes once a day, at an hour of their choice. */
export const notificationKinds = [
  'needs-person',
  'rejected',
  'chargeback',
  'bulk-done',
  'export-ready',
  'closing-today',
] as const

export type NotificationKind = (typeof notificationKinds)[number]

/** What a mail may tell of at once. Who wants to know that an export is ready is told, too, that it won't be. */
export type NoticeKind = Exclude<NotificationKind, 'closing-today'> | 'export-stopped'

/** The choice by which people are told of a kind. */
export function choiceFor(kind: NotificationKind | NoticeKind): NotificationKind {
  return kind === 'export-stopped' ? 'export-ready' : kind
}

/** What it takes to be told of each. */
export const notificationPermissions: Record<NotificationKind, Permission> = {
  'needs-person': 'read',
  rejected: 'read',
  chargeback: 'read',
  'bulk-done': 'read',
  'export-ready': 'export',
  'closing-today': 'read',
}

/** The hour of the digest unless another is chosen, in the business zone. */
export const usualDigestHour = 8

/** A merchant's notifications to one person, and which are `offered` to their role. `hour` is that of the digest, 0 to 23 in the business zone. */
export type MerchantNotifications = {
  connectionId: string
  name: string
  kinds: NotificationKind[]
  offered: NotificationKind[]
  hour: number
}

/** Body of PUT /api/desk/notifications: whether one kind is wanted; `hour` only with `closing-today`. */
export type NotificationChoice = { connectionId: string; kind: NotificationKind; isWanted: boolean; hour?: number }
