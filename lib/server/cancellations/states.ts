import type { Difference, Outcome } from '@/lib/domain/cancellations/cancellation'

/**
 * Where a cancellation can go from each state; every arrow is a row of the activity log, and what is
 * closed goes nowhere any more. A user is told the word of `told`, never the state.
 */
export const states = {
  /** The intent is committed; nothing was sent. */
  intended: { told: 'sending', next: ['sending', 'waiting', 'cancelled', 'not-cancelled'] },
  /** The service asked to slow down before anything was done; sent again when due. */
  waiting: { told: 'sending', next: ['sending', 'cancelled', 'not-cancelled'] },
  /** A request is on its way, or was when the process died. */
  sending: { told: 'sending', next: ['accepted', 'declined', 'unknown', 'waiting', 'not-cancelled'] },
  /** Answered with 2xx: never sent again, read until it ends. */
  accepted: { told: 'requested', next: ['cancelled', 'not-cancelled', 'needs-person'] },
  /** Answered with a definite 4xx: never sent again, read to see what holds. */
  declined: { told: 'unknown', next: ['cancelled', 'not-cancelled', 'needs-person'] },
  /** It may have been done or not: read, and sent once more if it surely was not. */
  unknown: { told: 'unknown', next: ['sending', 'accepted', 'declined', 'cancelled', 'not-cancelled', 'needs-person'] },
  cancelled: { told: 'cancelled', next: [] },
  'not-cancelled': { told: 'not-cancelled', next: [] },
  'needs-person': { told: 'needs-person', next: [] },
} as const satisfies Record<string, { told: Outcome; next: readonly string[] }>

export type CancellationState = keyof typeof states

/** Whether it will not change any more by itself. */
export function isClosed(state: CancellationState): boolean {
  return states[state].next.length === 0
}

/** Whether the table has an arrow from one state to the other. */
export function canTransition(from: CancellationState, to: CancellationState): boolean {
  return states[from].next.some((next) => next === to)
}

/** States that only reading can end. */
export const pollingStates = ['accepted', 'declined', 'unknown'] as const satisfies readonly CancellationState[]

/** What the service answered to the request that cancels, in its own words where it had any. */
export type ReplyEvidence = {
  status: number
  type?: string
  title?: string
  detail?: string
  instance?: string
  traceId?: string
  /** Of a 2xx: the reason as the service says that it has received it. */
  text?: string
}

/** What a read of the payment showed. `why` says what made it unreadable. */
export type ReadEvidence = {
  kind: 'found' | 'absent' | 'unreadable'
  status?: string
  modifiedAt?: string
  why?: string
}

/** The facts behind a cancellation's state; kept beside it and in the activity log. */
export type Evidence = {
  /** What people call the payment: its reference or its handle, as it was read before it was sent. */
  named?: string
  /** Whether the payment was read before it was sent, or sent on the user's second word. */
  guard?: 'read' | 'unread'
  reply?: ReplyEvidence
  /** The failure's code, where no reply could be read. */
  failure?: string
  read?: ReadEvidence
  difference?: Difference
  /** It took effect, but the service says that it got another reason than was sent: somebody on the way drops bodies. */
  warning?: 'reason-not-delivered'
}

/** What the service showed when a person had it asked again; `by` is an e-mail, `at` ISO 8601 in UTC. */
export type CheckedFacts = ReadEvidence & { at: string; by: string }

/** Who dealt with what the desk could not settle by itself, and what they found; `by` is an e-mail, `at` ISO 8601 in UTC. */
export type HandledFacts = { at: string; by: string; userId: string; note: string }
