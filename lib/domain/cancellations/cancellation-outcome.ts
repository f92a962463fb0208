import type { CancellationView, Outcome, OutcomeReason } from './cancellation'
import * as words from '@/lib/words/outcomes'

/** The six words in which people are told what became of a cancellation. */
export const outcomeLabels: Record<Outcome, string> = words.outcomes

/** Whether somebody should hear of it at once. */
export function isUrgent(outcome: Outcome | undefined): boolean {
  return outcome === 'not-cancelled' || outcome === 'needs-person'
}

type Told = Pick<CancellationView, 'outcome' | 'reason'>

/** Whether it waits for its turn in a bulk, or for its owner: its request is not on its way. */
export function isQueued({ outcome, reason }: Told): boolean {
  return outcome === 'sending' && (reason === 'in-bulk' || reason === 'owner-signed-out')
}

/** The outcome in a word or two: one that is in line is not said to be on its way. */
export function outcomeLabel(view: Told): string {
  if (!isQueued(view)) return outcomeLabels[view.outcome]
  return view.reason === 'owner-signed-out' ? words.waitingForSignIn : words.notSentYet
}

/** Most outcomes that one sentence names: who hears it cannot skim. */
const mostNamed = 5

/** Outcomes that came together, each as it is told by itself, in one sentence; beyond five their number. */
export function joinOutcomes(texts: readonly string[]): string {
  const named = texts.slice(0, mostNamed)
  const others = texts.length - named.length
  return [...named, ...(others > 0 ? [words.andOthers(others)] : [])].join('. ')
}

const reasonWords: Record<OutcomeReason, (detail: string | null) => string> = words.reasons

/** Whether a text of the ledger or its log is a reason that people are told. */
export function isOutcomeReason(reason: string): reason is OutcomeReason {
  return Object.hasOwn(reasonWords, reason)
}

const openWords: Partial<Record<Outcome, string>> = words.open

/** One or two sentences on why an outcome is what it is; null when the word says it all. */
export function describeOutcome({
  outcome,
  reason,
  detail,
}: Pick<CancellationView, 'outcome' | 'reason' | 'detail'>): string | null {
  if (reason) return reasonWords[reason](detail)
  return outcome === 'cancelled' ? null : (openWords[outcome] ?? detail)
}

/** What a person's later look at a payment showed, as a sentence. */
export function describeRecheck({
  kind,
  status,
}: Pick<NonNullable<CancellationView['checked']>, 'kind' | 'status'>): string {
  if (kind === 'found') return status ? words.serviceSays(status) : words.withoutState
  return kind === 'absent' ? words.notListed : words.notRead
}
