import type { Difference, OutcomeReason, SeenPayment } from '@/lib/domain/cancellations/cancellation'
import { isUuid } from '@/lib/domain/ids'
import type { Payment } from '@/lib/api-contract/payments'
import { toPlainText } from '../http/untrusted-text'
import { type Change, changeState } from './change-state'
import type { ReadEvidence } from './states'
import { type CancellationRow, classifyState, type Ledger, type LedgerRules, normalizeState } from './ledger'
import type { Reading } from './payment-pages'

/** Whether a cancellation may be sent now. A pass carries the payment as it was just read, null when unread on purpose. */
export type GuardVerdict =
  | { kind: 'pass'; payment: Payment | null }
  | { kind: 'changed'; payment: Payment; difference: Difference }
  | { kind: 'not-cancellable'; payment: Payment }
  | { kind: 'unreadable'; why: string }

/** Well-formed and without NUL, which the store refuses. */
function keepable<Value extends string | number | null>(value: Value): Value | string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value
}

/** What of a payment is compared, as the store can keep it. */
export function toSeenPayment({ amount, currency, status, modifiedAt }: SeenPayment): SeenPayment {
  return {
    amount: keepable(amount),
    currency: keepable(currency),
    status: keepable(status),
    modifiedAt: keepable(modifiedAt),
  }
}

/** What of a payment is kept as evidence. */
export function describePayment({ status, modifiedAt }: Payment): ReadEvidence {
  return { kind: 'found', status: toPlainText(status), modifiedAt: toPlainText(modifiedAt) }
}

/** What people call a payment; nothing where it has neither reference nor handle. */
export function namePayment({ reference, handle }: Payment): { named?: string } {
  const named = toPlainText(reference) ?? toPlainText(handle)
  return named === undefined ? {} : { named }
}

/**
 * What differs between what the user saw and what holds now, or null. A change of amount, currency or state
 * counts; modifiedAt alone does not, but is told beside them.
 */
export function findDifference(seen: SeenPayment, now: SeenPayment): Difference | null {
  const difference: Difference = {}
  if (String(seen.amount) !== String(now.amount)) difference.amount = { seen: seen.amount, now: now.amount }
  if (normalizeState(seen.currency) !== normalizeState(now.currency))
    difference.currency = { seen: seen.currency, now: now.currency }
  if (normalizeState(seen.status) !== normalizeState(now.status))
    difference.status = { seen: seen.status, now: now.status }
  if (Object.keys(difference).length === 0) return null
  if (seen.modifiedAt !== now.modifiedAt) difference.modifiedAt = { seen: seen.modifiedAt, now: now.modifiedAt }
  return difference
}

/** Step 3 of a cancellation (docs/architecture.md), decided: compares a fresh reading with what the user saw. */
export function evaluateGuard(
  row: Pick<CancellationRow, 'seen' | 'unread' | 'paymentId'>,
  reading: Reading,
  rules: LedgerRules,
): GuardVerdict {
  if (reading.kind !== 'found') {
    // Unread, a handle could be a second name of a payment that is being cancelled by its id.
    if (row.unread && isUuid(row.paymentId)) return { kind: 'pass', payment: null }
    return { kind: 'unreadable', why: reading.kind === 'absent' ? 'absent' : reading.why }
  }
  const { payment } = reading
  const difference = row.seen && findDifference(row.seen, toSeenPayment(payment))
  if (difference) return { kind: 'changed', payment, difference }
  return classifyState(payment.status, rules) === 'cancellable'
    ? { kind: 'pass', payment }
    : { kind: 'not-cancellable', payment }
}

/** Why nothing was sent, from the state the payment is in. */
function explainState(payment: Payment, rules: LedgerRules, otherwise: OutcomeReason): OutcomeReason {
  const judged = classifyState(payment.status, rules)
  if (judged === 'cancelled') return 'already-cancelled'
  return judged === 'final' ? 'too-late' : otherwise
}

function describeVerdict(
  verdict: Exclude<GuardVerdict, { kind: 'pass' }>,
  rules: LedgerRules,
): Change & { outcomeReason: OutcomeReason } {
  if (verdict.kind === 'unreadable') {
    const kind = verdict.why === 'absent' ? 'absent' : 'unreadable'
    return { outcomeReason: kind, evidence: { read: { kind, why: verdict.why } } }
  }
  const { payment } = verdict
  return {
    outcomeReason: explainState(payment, rules, verdict.kind),
    detail: toPlainText(payment.status) ?? null,
    evidence: {
      ...namePayment(payment),
      read: describePayment(payment),
      ...(verdict.kind === 'changed' && { difference: verdict.difference }),
    },
  }
}

/**
 * Closes a cancellation that the guard did not let pass; nothing was sent for it. Already cancelled is
 * closed as cancelled, with the reason that says it was not done here. Null when somebody was quicker, and for one that
 * was sent before: the guard says nothing of it any more.
 */
export async function closeByGuard(
  ledger: Ledger,
  row: CancellationRow,
  verdict: Exclude<GuardVerdict, { kind: 'pass' }>,
): Promise<CancellationRow | null> {
  if (row.state !== 'intended' && row.state !== 'waiting') return null
  const change = describeVerdict(verdict, ledger.rules)
  const state = change.outcomeReason === 'already-cancelled' ? 'cancelled' : 'not-cancelled'
  return changeState(ledger, row, state, { ...change, evidence: { ...row.evidence, ...change.evidence } })
}
