import type { CancellationView, Outcome, OutcomeReason } from './cancellation'
import * as words from '@/lib/words/outcomes'

export const outcomeLabels: Record<Outcome, string> = words.outcomes

/** Whether the outcome must be announced at once. */
export function isUrgent(outcome: Outcome | undefined): boolean {
  return outcome === 'not-cancelled' || outcome === 'needs-person'
}

type OutcomeAndReason = Pick<CancellationView, 'outcome' | 'reason'>

/** Whether the request is not sent yet because it waits for its turn in a bulk or for its owner to sign in. */
export function isQueued({ outcome, reason }: OutcomeAndReason): boolean {
  return outcome === 'sending' && (reason === 'in-bulk' || reason === 'owner-signed-out')
}

/** The label of an outcome; a queued cancellation is not called "sending". */
export function outcomeLabel(view: OutcomeAndReason): string {
  if (!isQueued(view)) return outcomeLabels[view.outcome]
  return view.reason === 'owner-signed-out' ? words.waitingForSignIn : words.notSentYet
}

/** Few, because a screen reader's user cannot skim an announcement. */
const MAX_NAMED = 5

/** Joins announcements of simultaneous outcomes; those beyond five are only counted. */
export function joinOutcomes(texts: readonly string[]): string {
  const named = texts.slice(0, MAX_NAMED)
  const others = texts.length - named.length
  return [...named, ...(others > 0 ? [words.andOthers(others)] : [])].join('. ')
}

const reasonMessages: Record<OutcomeReason, (detail: string | null) => string> = words.reasons

/** Whether a reason in the ledger or the activity log has a message for people. */
export function isOutcomeReason(reason: string): reason is OutcomeReason {
  return Object.hasOwn(reasonMessages, reason)
}

const openMessages: Partial<Record<Outcome, string>> = words.open

/** One or two sentences that explain an outcome; null when its label says it all. */
export function describeOutcome({
  outcome,
  reason,
  detail,
}: Pick<CancellationView, 'outcome' | 'reason' | 'detail'>): string | null {
  if (reason) return reasonMessages[reason](detail)
  return outcome === 'cancelled' ? null : (openMessages[outcome] ?? detail)
}

/** What a later manual check of the payment showed, as a sentence. */
export function describeRecheck({
  kind,
  status,
}: Pick<NonNullable<CancellationView['checked']>, 'kind' | 'status'>): string {
  if (kind === 'found') return status ? words.serviceSays(status) : words.withoutState
  return kind === 'absent' ? words.notListed : words.notRead
}
