import type { BulkFacts, BulkVerdict } from '@/lib/contract/bulk'
import type { SeenPayment } from '@/lib/contract/cancellation'
import type { Payment } from '@/lib/contract/payments'
import { seePayment } from '../cancellations/guard'
import { judgeState, type LedgerRules } from '../cancellations/ledger-rules'

/** A row of a list as it is stored. */
export type ListRow = {
  given: string
  reason: string | null
  paymentId: string | null
  verdict: BulkVerdict
  seen: SeenPayment | null
  facts: BulkFacts | null
}

const verdicts = {
  cancellable: 'cancellable',
  cancelled: 'already-cancelled',
  final: 'too-late',
  other: 'not-cancellable',
} as const

/** What the store can keep of words: well-formed, without NUL, bounded. */
export function keepText(text: string | null | undefined): string | null {
  return text ? text.toWellFormed().replaceAll('\0', '').slice(0, 300) : null
}

/** A row of which no payment is known. */
export function judgeMissing(
  { given, reason }: { given: string; reason: string | null },
  verdict: 'unknown' | 'malformed' | 'duplicate',
): ListRow {
  return { given: keepText(given) ?? '', reason, paymentId: null, verdict, seen: null, facts: null }
}

/** A row and the payment that it names, as that is now. */
export function judgePayment(
  { given, reason }: { given: string; reason: string | null },
  payment: Payment & { id: string },
  rules: LedgerRules,
): ListRow {
  const { reference, handle, customer, mandate, scheduleDate, test } = payment
  return {
    given: keepText(given) ?? '',
    reason,
    paymentId: payment.id,
    verdict: verdicts[judgeState(payment.status, rules)],
    seen: seePayment(payment),
    facts: {
      reference: keepText(reference ?? handle),
      payer: keepText(customer?.name),
      scheme: keepText(mandate?.scheme),
      scheduleDate: keepText(scheduleDate),
      test,
    },
  }
}
