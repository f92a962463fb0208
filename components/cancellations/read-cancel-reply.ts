import { CallError } from '@/lib/client/api-client'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import type { CancellationConflict, CancellationView, Difference } from '@/lib/domain/cancellations/cancellation'
import type { Payment } from '@/lib/api-contract/payments'
import * as words from '@/lib/words/cancelling'

/**
 * What the dialog knows after it has asked. `lost`: nobody can say whether the desk has the request, so only
 * the same key may be sent again. All others are definite: to ask again is a new key.
 */
export type CancelOutcome =
  | { kind: 'lost' | 'refused'; facts: ProblemInfo }
  | { kind: 'changed'; difference: Difference; payment: Payment; view: CancellationView | null }
  | { kind: 'unread'; facts: ProblemInfo }
  | { kind: 'taken'; view: CancellationView }
  | { kind: 'ended'; view: CancellationView; payment: Payment | null }

/** Reasons after which asking again can bring something else. */
const repeatable = ['not-sent', 'refused', 'service-declined', 'changed']

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The further members of a 409. Guarantee: the desk's own server writes them as CancellationConflict; any may be missing. */
function readConflict(error: CallError): Partial<CancellationConflict> {
  const { cancellation, difference, payment }: Record<string, unknown> = error.problem ?? {}
  const members = Object.entries({ cancellation, difference, payment }).filter(([, member]) => isRecord(member))
  return Object.fromEntries(members) as Partial<CancellationConflict>
}

/**
 * Reads what the desk answered in place of success. `wasLost`: nobody could say either after the same request before;
 * that the desk has kept nothing of this attempt then says nothing of that one.
 */
export function readCancelReply(error: unknown, wasLost = false): CancelOutcome {
  const facts = toProblemInfo(error)
  if (!(error instanceof CallError)) return { kind: 'lost', facts }
  const { cancellation, difference, payment } = readConflict(error)
  if (error.code === 'changed-since-seen' && difference && payment) {
    return { kind: 'changed', difference, payment, view: cancellation ?? null }
  }
  if (error.code === 'not-cancellable' && cancellation)
    return { kind: 'ended', view: cancellation, payment: payment ?? null }
  if (error.code === 'confirmation-needed') return { kind: 'unread', facts }
  if (error.code === 'conflict' && cancellation) return { kind: 'taken', view: cancellation }
  if (error.code === 'store-unavailable' && !wasLost) return { kind: 'refused', facts }
  const indefinite = error.status === 0 || error.status >= 500 || error.status < 400 || error.code === 'in-flight'
  return { kind: indefinite ? 'lost' : 'refused', facts }
}

/** An answer whose cancellation has gone on since: `latest` is that one by now, or what has taken its place. */
export function bringUpToDate(answer: CancelOutcome | null, latest: CancellationView | null): CancelOutcome | null {
  if (!answer || !('view' in answer) || !answer.view || !latest) return answer
  return { ...answer, view: latest }
}

/** Whether the user may ask again after this answer; if not, why not. */
export function explainEnd(answer: CancelOutcome | null): string | null {
  if (answer?.kind === 'taken' && !answer.view.closed) return words.endTaken
  const view = answer && 'view' in answer ? answer.view : null
  if (!view) return null
  if (!view.closed) return words.endOpen
  if (view.outcome === 'not-cancelled' && view.reason !== null && repeatable.includes(view.reason)) return null
  if (view.outcome === 'needs-person') return words.endNeedsPerson
  return view.outcome === 'cancelled' ? words.endCancelled : words.endOther
}
