import { CallError, isNotExecuted } from '@/lib/client/api-client'
import { type ProblemInfo, toProblemInfo } from '@/components/feedback/problem-display'
import type { CancellationConflict, CancellationView, Difference } from '@/lib/domain/cancellations/cancellation'
import type { Payment } from '@/lib/api-contract/payments'
import * as m from '@/lib/messages/m'

/**
 * The result of a cancellation request. `lost`: nobody can say whether the server has it, so only the same key may be
 * sent again. All others are definite: a retry gets a new key.
 */
export type CancelOutcome =
  | { kind: 'lost' | 'refused'; problem: ProblemInfo }
  | { kind: 'changed'; difference: Difference; payment: Payment; view: CancellationView | null }
  | { kind: 'unread'; problem: ProblemInfo }
  | { kind: 'taken'; view: CancellationView }
  | { kind: 'ended'; view: CancellationView; payment: Payment | null }

/** Reasons after which a retry can have another outcome. */
const RETRYABLE_REASONS = [
  'not-sent',
  'stopped',
  'restored',
  'asked-to-wait',
  'refused',
  'service-declined',
  'changed',
  'unreadable',
  'absent',
  'unread-since-sent',
]

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * The extension members of a 409. Guarantee: our own server writes them as CancellationConflict; any may be missing.
 */
function readConflict(error: CallError): Partial<CancellationConflict> {
  const { cancellation, difference, payment }: Record<string, unknown> = error.problem ?? {}
  const members = Object.entries({ cancellation, difference, payment }).filter(([, member]) => isRecord(member))
  return Object.fromEntries(members) as Partial<CancellationConflict>
}

/** Errors that the ledger gives once it has looked for the key: they tell of an earlier attempt, too. */
const CODES_OF_LEDGER = ['approval-needed', 'key-reused', 'conflict', 'changed-since-seen', 'not-cancellable']

/** Interprets an error reply. `wasLost`: the previous attempt was lost, of which a check that was turned away says nothing. */
export function readCancelReply(error: unknown, wasLost = false): CancelOutcome {
  const problem = toProblemInfo(error)
  if (!(error instanceof CallError)) return { kind: 'lost', problem }
  const { cancellation, difference, payment } = readConflict(error)
  if (error.code === 'changed-since-seen' && difference && payment) {
    return { kind: 'changed', difference, payment, view: cancellation ?? null }
  }
  if (error.code === 'not-cancellable' && cancellation)
    return { kind: 'ended', view: cancellation, payment: payment ?? null }
  if (error.code === 'confirmation-needed') return { kind: 'unread', problem }
  if (error.code === 'conflict' && cancellation) return { kind: 'taken', view: cancellation }
  if (wasLost) return { kind: CODES_OF_LEDGER.includes(error.code) ? 'refused' : 'lost', problem }
  if (isNotExecuted(error)) return { kind: 'refused', problem }
  const indefinite = error.status === 0 || error.status >= 500 || error.status < 400 || error.code === 'in-flight'
  return { kind: indefinite ? 'lost' : 'refused', problem }
}

/** Replaces the cancellation in a result by its latest version. */
export function withLatestView(answer: CancelOutcome | null, latest: CancellationView | null): CancelOutcome | null {
  if (!answer || !('view' in answer) || !answer.view || !latest) return answer
  return { ...answer, view: latest }
}

/** Explains why the request can't be repeated; null if it can. */
export function explainEnd(answer: CancelOutcome | null): string | null {
  if (answer?.kind === 'taken' && !answer.view.closed) return m.cancelling_endTaken()
  const view = answer && 'view' in answer ? answer.view : null
  if (!view) return null
  if (!view.closed) return m.cancelling_endOpen()
  if (view.outcome === 'not-cancelled' && view.reason !== null && RETRYABLE_REASONS.includes(view.reason)) return null
  if (view.outcome === 'needs-person') return view.reason === 'still-cancellable' ? null : m.cancelling_endNeedsPerson()
  return view.outcome === 'cancelled' ? m.cancelling_endCancelled() : m.cancelling_endOther()
}
