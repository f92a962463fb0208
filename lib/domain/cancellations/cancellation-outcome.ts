import type { Message } from '@/lib/language/runtime'
import type { CancellationView, Outcome } from './cancellation'
import * as m from '@/lib/messages/m'

export const outcomeLabels: Record<Outcome, Message> = {
  sending: m.outcomes_outcomesSending,
  requested: m.outcomes_outcomesRequested,
  cancelled: m.outcomes_outcomesCancelled,
  'not-cancelled': m.outcomes_outcomesNotCancelled,
  unknown: m.outcomes_outcomesUnknown,
  'needs-person': m.outcomes_outcomesNeedsPerson,
}

/** Whether the outcome must be announced at once. */
export function isUrgent(outcome: Outcome | undefined): boolean {
  return outcome === 'not-cancelled' || outcome === 'needs-person'
}

type OutcomeAndReason = Pick<CancellationView, 'outcome' | 'reason'>

/** Whether the request is not sent yet because it waits for its turn in a bulk or for its owner to sign in. */
export function isQueued({ outcome, reason }: OutcomeAndReason): boolean {
  return outcome === 'sending' && (reason === 'in-bulk' || reason === 'restored' || reason === 'owner-signed-out')
}

/** The label of an outcome; a queued cancellation is not called "sending". */
export function outcomeLabel(view: OutcomeAndReason): string {
  if (!isQueued(view)) return outcomeLabels[view.outcome]()
  if (view.reason === 'owner-signed-out') return m.outcomes_waitingForSignIn()
  // Of a restored backup: it may have been sent since.
  return view.reason === 'restored' ? m.outcomes_waiting() : m.outcomes_notSentYet()
}

/** Few, because a screen reader's user cannot skim an announcement. */
const MAX_NAMED = 5

/** Joins announcements of simultaneous outcomes; those beyond five are only counted. */
export function joinOutcomes(texts: readonly string[]): string {
  const named = texts.slice(0, MAX_NAMED)
  const others = texts.length - named.length
  return [...named, ...(others > 0 ? [m.outcomes_andOthers({ count: others })] : [])].join('. ')
}
