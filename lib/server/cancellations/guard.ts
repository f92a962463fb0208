import type { Difference, OutcomeReason, SeenPayment } from '@/lib/domain/cancellations/cancellation'
import { isUuid } from '@/lib/domain/ids'
import type { Payment } from '@/lib/api-contract/payments'
import { toPlainText } from '../http/untrusted-text'
import { toStorable } from '../store/to-storable'
import { type Change, changeState } from './change-state'
import type { PaymentDates, ReadEvidence } from './states'
import { type CancellationRow, classifyState, type Ledger, type LedgerRules, normalizeState } from './ledger'
import type { Reading } from './payment-pages'

/** Whether a cancellation may be sent now. `payment` is the fresh reading, null if the user chose to skip it. */
export type GuardVerdict =
  | { kind: 'pass'; payment: Payment | null }
  | { kind: 'changed'; payment: Payment; difference: Difference }
  | { kind: 'not-cancellable'; payment: Payment }
  | { kind: 'unreadable'; why: string }

/** The compared fields of a payment, cleaned for storage. */
export function toSeenPayment({ amount, currency, status, modifiedAt }: SeenPayment): SeenPayment {
  return {
    amount: toStorable(amount),
    currency: toStorable(currency),
    status: toStorable(status),
    modifiedAt: toStorable(modifiedAt),
  }
}

/** The fields of a payment that are recorded as evidence. */
export function toReadEvidence({ status, modifiedAt }: Payment): ReadEvidence {
  return { kind: 'found', status: toPlainText(status), modifiedAt: toPlainText(modifiedAt) }
}

/** The payment's reference or handle, for display. */
export function toPaymentName({ reference, handle }: Payment): { named?: string } {
  const named = toPlainText(reference) ?? toPlainText(handle)
  return named === undefined ? {} : { named }
}

/** The dates of a payment that are recorded for the time when it can't be read. */
export function toPaymentDates({ status, paymentDate, scheduleDate, mandate }: Payment): PaymentDates {
  return {
    status: toPlainText(status) ?? null,
    paymentDate: toPlainText(paymentDate) ?? null,
    scheduleDate: toPlainText(scheduleDate) ?? null,
    scheme: toPlainText(mandate?.scheme) ?? null,
  }
}

/**
 * The difference between what the user saw and the current payment, or null. Amount, currency and status count;
 * modifiedAt alone does not, but is included with other differences.
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

/** Step 3 of a cancellation (docs/architecture.md): compares a fresh reading with what the user saw. */
export function evaluateGuard(
  row: Pick<CancellationRow, 'seen' | 'unread' | 'paymentId'>,
  reading: Reading,
  rules: LedgerRules,
): GuardVerdict {
  if (reading.kind !== 'found') {
    // Only with a UUID: an unread handle may be an alias of a payment that is already being cancelled by its id.
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

/** Derives the reason for not sending from the payment's status. */
function toOutcomeReason(payment: Payment, rules: LedgerRules, otherwise: OutcomeReason): OutcomeReason {
  const classified = classifyState(payment.status, rules)
  if (classified === 'cancelled') return 'already-cancelled'
  return classified === 'final' ? 'too-late' : otherwise
}

function toChange(
  verdict: Exclude<GuardVerdict, { kind: 'pass' }>,
  rules: LedgerRules,
): Change & { outcomeReason: OutcomeReason } {
  if (verdict.kind === 'unreadable') {
    const kind = verdict.why === 'absent' ? 'absent' : 'unreadable'
    return { outcomeReason: kind, evidence: { read: { kind, why: verdict.why } } }
  }
  const { payment } = verdict
  return {
    outcomeReason: toOutcomeReason(payment, rules, verdict.kind),
    detail: toPlainText(payment.status) ?? null,
    evidence: {
      ...toPaymentName(payment),
      read: toReadEvidence(payment),
      ...(verdict.kind === 'changed' && { difference: verdict.difference }),
    },
  }
}

/**
 * Closes a cancellation that the guard rejected; nothing was sent for it, or only what was put off. An already cancelled
 * payment closes as cancelled, with the reason that it was not done here. Returns null if another process was faster, or
 * if a request that may have had an effect was sent before: the guard no longer applies then.
 */
export async function closeByGuard(
  ledger: Ledger,
  row: CancellationRow,
  verdict: Exclude<GuardVerdict, { kind: 'pass' }>,
): Promise<CancellationRow | null> {
  if (row.state !== 'intended' && row.state !== 'waiting') return null
  const change = toChange(verdict, ledger.rules)
  // Of a restored backup: it may have been sent since, and no such reading says otherwise.
  const isOpen = verdict.kind === 'unreadable' || change.outcomeReason === 'changed'
  if (isOpen && row.outcomeReason === 'restored') change.outcomeReason = 'restored'
  else if (verdict.kind === 'unreadable' && row.sentAt !== null) change.outcomeReason = 'unread-since-sent'
  const state = change.outcomeReason === 'already-cancelled' ? 'cancelled' : 'not-cancelled'
  return changeState(ledger, row, state, { ...change, evidence: { ...row.evidence, ...change.evidence } })
}
