import { type Filter, formatFilter } from '@/lib/api-contract/filter'
import type { Payment } from '@/lib/api-contract/payments'
import { capabilitiesFor } from '@/lib/domain/lists/capabilities'
import { followPages } from '@/lib/domain/lists/list-pages'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import type { Session } from '../auth/session'
import { callEndpoint } from './call-endpoint'
import { proveCapabilities } from './capabilities'

const PAGE_SIZE = 100
/** The payments read of one customer at most. */
export const MAX_CUSTOMER_PAYMENTS = 2_000
const TIMEOUT_MS = 20_000

/** A customer's payments in the service's order, and whether those are all, as far as can be seen. */
export type CustomerPayments = { payments: Payment[]; isComplete: boolean }

/**
 * Reads up to 2,000 payments of one customer. Null when the service is not known to filter by customer: reading every
 * payment would take too long. Throws AppError.
 */
export async function readCustomerPayments(session: Session, customerId: string): Promise<CustomerPayments | null> {
  const filter: Filter = { kind: 'compare', field: 'customer/id', comparison: 'eq', value: customerId }
  const needed = capabilitiesFor(filter)
  const proofs = await proveCapabilities(session, 'listPayments', needed)
  if (!needed.every((capability) => proofs[capability] === true)) return null
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const follow = followPages()
  const payments = new Map<string | null | symbol, Payment>()
  let isReadable = true
  /** A payment came on two pages: another may have been passed over. */
  let hasMoved = false
  let after: string | undefined
  while (payments.size < MAX_CUSTOMER_PAYMENTS) {
    const query = { filter: formatFilter(filter), limit: String(PAGE_SIZE), ...(after !== undefined && { after }) }
    const reply = await callEndpoint(session, 'listPayments', { query, signal })
    const matching = reply.results.filter((payment) => matchesFilter(filter, payment))
    hasMoved ||= matching.some(({ id }) => payments.has(id))
    for (const payment of matching) payments.set(payment.id ?? Symbol('no id'), payment)
    isReadable &&= reply.unreadable === 0
    const next = follow(reply.continuation)
    if (next.kind !== 'more')
      return { payments: [...payments.values()], isComplete: next.kind === 'end' && isReadable && !hasMoved }
    after = next.after
  }
  return { payments: [...payments.values()], isComplete: false }
}
