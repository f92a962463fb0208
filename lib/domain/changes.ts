import type { Permission } from '@/lib/api-contract/permission'

/** What open pages show and read again when it has changed, with the permission that reading it needs. */
export const changeKinds = {
  cancellation: 'read',
  bulk: 'read',
  import: 'manage',
  export: 'export',
  inbox: 'read',
  /** What can still be cancelled today. */
  closing: 'read',
  payment: 'read',
  customer: 'read',
  mandate: 'read',
  note: 'read',
  webhook: 'read',
  /** Entries of the activity log. */
  activity: 'account',
  /** Its entries about accounts and settings. */
  'private-activity': 'audit',
} as const satisfies Record<string, Permission>

export type ChangeKind = keyof typeof changeKinds

/** Whether a word from outside is a kind of change. */
export function isChangeKind(word: string): word is ChangeKind {
  return Object.hasOwn(changeKinds, word)
}

/** One event of `GET /api/desk/events`: by kind the ids of what changed, or null where it may be anything of the kind. */
export type ChangeEvent = { [Kind in ChangeKind]?: readonly string[] | null }

/** The last frame of a stream whose session may no longer hear it; a comment in the format of Server-Sent Events. */
export const OVER_FRAME = ': over'

/** The interval of comments on a silent stream: below the idle timeouts of proxies. */
export const HEARTBEAT_MS = 15_000

/** A stream that was silent for this long is broken, even if nobody closed it. */
export const MAX_SILENCE_MS = 40_000

/** More ids of one kind are not listed: the page reads again what it shows. */
export const MAX_CHANGED_IDS = 50
