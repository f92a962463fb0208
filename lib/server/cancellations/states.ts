import type { Outcome } from '@/lib/contract/cancellation'

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
export function mayBecome(from: CancellationState, to: CancellationState): boolean {
  return states[from].next.some((next) => next === to)
}

/** States that only reading can end. */
export const readingStates = ['accepted', 'declined', 'unknown'] as const satisfies readonly CancellationState[]
