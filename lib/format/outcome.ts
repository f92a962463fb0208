import type { CancellationView, Outcome, OutcomeReason } from '@/lib/contract/cancellation'
import * as words from '@/lib/words/outcomes'

/** The six words in which people are told what became of a cancellation. */
export const outcomeWords: Record<Outcome, string> = words.outcomes

/** The outcome in a word or two: one that waits for its turn, or for its owner, is not said to be on its way. */
export function nameOutcome({ outcome, reason }: Pick<CancellationView, 'outcome' | 'reason'>): string {
  if (outcome !== 'sending') return outcomeWords[outcome]
  if (reason === 'owner-signed-out') return words.waitingForSignIn
  return reason === 'in-bulk' ? words.notSentYet : outcomeWords.sending
}

const reasonWords: Record<OutcomeReason, (detail: string | null) => string> = words.reasons

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
export function describeChecked({
  kind,
  status,
}: Pick<NonNullable<CancellationView['checked']>, 'kind' | 'status'>): string {
  if (kind === 'found') return status ? words.serviceSays(status) : words.withoutState
  return kind === 'absent' ? words.notListed : words.notRead
}
