import { pickById } from '@/lib/contract/ids'
import { isContradicted } from '@/lib/contract/left-out'
import type { Payment } from '@/lib/contract/payments'
import { foldState } from './ledger-rules'

/**
 * What a read showed of one payment. `absent` is said only of a list that was read to its end, entry by
 * entry; everything else that is not `found` is `unreadable`, with the reason.
 */
export type Reading = { kind: 'found'; payment: Payment } | { kind: 'absent' } | { kind: 'unreadable'; why: string }

/** What a payment must not say twice if it is to be cancelled: which of two holds would be a guess about money. */
const decisive = ['amount', 'currency', 'status']

/** The entry with this id among those of one page; entries that contradict each other or themselves are no reading at all. */
export function pickPayment(entries: readonly Payment[], paymentId: string): Reading | null {
  const found = pickById(entries, paymentId)
  const [first] = found
  if (!first) return null
  const agree = found.every(
    (entry) =>
      !isContradicted(entry, decisive) &&
      foldState(entry.status) === foldState(first.status) &&
      entry.amount === first.amount,
  )
  return agree ? { kind: 'found', payment: first } : { kind: 'unreadable', why: 'contradiction' }
}
