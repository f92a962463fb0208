import type { CancellationView, OutcomeReason } from './cancellation'

/** Reasons of a cancellation closed because a read showed the payment already cancelled or collected. */
export const alreadyEndedReasons = ['already-cancelled', 'too-late'] as const satisfies readonly OutcomeReason[]

/**
 * Whether a later cancellation supersedes an earlier one of the same payment that needs a person. One that sent nothing
 * or was declined does not: the earlier one is as uncertain as before.
 */
function supersedes({ closed, outcome, reason }: CancellationView): boolean {
  const isAnswered = outcome === 'cancelled' || outcome === 'needs-person'
  return !closed || isAnswered || alreadyEndedReasons.some((ended) => ended === reason)
}

/** The current one of a payment's cancellations: one that needs a person until it is handled or superseded, else the latest. */
export function pickCurrentCancellation(views: Iterable<CancellationView>): CancellationView | null {
  const latestFirst = [...views].toSorted((one, other) => other.requestedAt.localeCompare(one.requestedAt))
  const unresolved = Math.max(
    latestFirst.findIndex((view) => view.outcome === 'needs-person' && !view.handled),
    0,
  )
  const isSuperseded = latestFirst.slice(0, unresolved).some(supersedes)
  return latestFirst[isSuperseded ? 0 : unresolved] ?? null
}
