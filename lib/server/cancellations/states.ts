import type { Difference, Outcome } from '@/lib/domain/cancellations/cancellation'

/**
 * States and transitions of a cancellation; each transition is an activity-log entry. Users see `outcome`, never the
 * state.
 */
export const states = {
  /** Committed; nothing was sent. */
  intended: { outcome: 'sending', next: ['sending', 'waiting', 'cancelled', 'not-cancelled'] },
  /** The upstream API asked to slow down before anything was done; sent again when due. */
  waiting: { outcome: 'sending', next: ['sending', 'cancelled', 'not-cancelled'] },
  /** A request is in flight, or was when the process died. */
  sending: { outcome: 'sending', next: ['accepted', 'declined', 'unknown', 'waiting', 'not-cancelled'] },
  /** 2xx: never resent, polled until it ends. */
  accepted: { outcome: 'requested', next: ['cancelled', 'not-cancelled', 'needs-person'] },
  /** A definite 4xx: never resent, polled for confirmation. */
  declined: { outcome: 'unknown', next: ['cancelled', 'not-cancelled', 'needs-person'] },
  /** May have had an effect: polled, and resent once if it certainly had none. */
  unknown: {
    outcome: 'unknown',
    next: ['sending', 'accepted', 'declined', 'cancelled', 'not-cancelled', 'needs-person'],
  },
  cancelled: { outcome: 'cancelled', next: [] },
  'not-cancelled': { outcome: 'not-cancelled', next: [] },
  'needs-person': { outcome: 'needs-person', next: [] },
} as const satisfies Record<string, { outcome: Outcome; next: readonly string[] }>

export type CancellationState = keyof typeof states

export function isClosed(state: CancellationState): boolean {
  return states[state].next.length === 0
}

export function canTransition(from: CancellationState, to: CancellationState): boolean {
  return states[from].next.some((next) => next === to)
}

/** Open states that only polling can end. */
export const pollingStates = ['accepted', 'declined', 'unknown'] as const satisfies readonly CancellationState[]

/** The upstream API's reply to the cancel request, with the text of its problem details, if any. */
export type ReplyEvidence = {
  status: number
  type?: string
  title?: string
  detail?: string
  instance?: string
  traceId?: string
  /** With a 2xx: the reason that the upstream API echoed. */
  text?: string
}

/** Result of reading the payment. `why`: why it was unreadable. */
export type ReadEvidence = {
  kind: 'found' | 'absent' | 'unreadable'
  status?: string
  modifiedAt?: string
  why?: string
}

/** By which the time left for a payment is estimated, and its state then, as the upstream API wrote them. */
export type PaymentDates = Record<'status' | 'paymentDate' | 'scheduleDate' | 'scheme', string | null>

/** What a cancellation's state is based on; stored with it and in the activity log. */
export type Evidence = {
  /** The id of the API token by which it was asked for; missing for a sign-in. */
  apiToken?: string
  /** The payment's reference or handle, read before sending. */
  named?: string
  /** Of the last reading that found the payment; missing if none did. */
  dates?: PaymentDates
  /** Whether the payment was read before sending, or the user confirmed sending without a reading. */
  guard?: 'read' | 'unread'
  reply?: ReplyEvidence
  /** Error code, if there was no readable reply. */
  failure?: string
  read?: ReadEvidence
  difference?: Difference
  /** The cancellation took effect, but the upstream API echoed another reason: an intermediary drops bodies. */
  warning?: 'reason-not-delivered'
  /**
   * It was open in a backup that was restored: it may have been settled since, so it is never sent again. One that was queued
   * in a bulk is sent if a person resumes that, but not a second time.
   */
  restored?: true
}

/** What a manual check of the payment showed; `by` is an e-mail, `at` ISO 8601 in UTC. */
export type ManualCheck = ReadEvidence & { at: string; by: string }

/** Who resolved a manual review and what they found; `by` is an e-mail, `at` ISO 8601 in UTC. */
export type ReviewResolution = { at: string; by: string; userId: string; note: string }
