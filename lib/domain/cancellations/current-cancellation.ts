import type { CancellationView, OutcomeReason } from './cancellation'

/** Reasons with which a cancellation closes whose read showed that the payment was cancelled or collected already. */
export const alreadyEndedReasons = ['already-cancelled', 'too-late'] as const satisfies readonly OutcomeReason[]

/**
 * Whether a later cancellation takes over what an earlier one of the same payment left to a person. One that sent
 * nothing, or was declined, does not: the doubt about the earlier is what it was.
 */
function takesOver({ closed, outcome, reason }: CancellationView): boolean {
  const isAnswered = outcome === 'cancelled' || outcome === 'needs-person'
  return !closed || isAnswered || alreadyEndedReasons.some((ended) => ended === reason)
}

/** The current one of a payment's cancellations: what needs a person, until it is handled or taken over; else the latest. */
export function pickCurrentCancellation(views: Iterable<CancellationView>): CancellationView | null {
  const latestFirst = [...views].toSorted((one, other) => other.requestedAt.localeCompare(one.requestedAt))
  const doubt = latestFirst.findIndex((view) => view.outcome === 'needs-person' && !view.handled)
  const isTakenOver = latestFirst.slice(0, Math.max(doubt, 0)).some(takesOver)
  return latestFirst[isTakenOver ? 0 : Math.max(doubt, 0)] ?? null
}
