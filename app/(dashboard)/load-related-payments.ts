import type { RelatedPaymentsProps } from '@/components/payments/related-payments'
import { relatedPaymentsTable } from '@/components/payments/payment-columns'
import { hasPermission } from '@/lib/api-contract/permission'
import type { Session } from '@/lib/server/auth/session'
import { loadList, type SearchParams } from './load-list'

/** Loads the payments of one customer or mandate. */
export async function loadRelatedPayments(
  session: Session,
  field: 'customer/id' | 'mandate/id',
  id: string,
  searchParams: SearchParams,
): Promise<RelatedPaymentsProps> {
  const baseFilter = { kind: 'compare', field, comparison: 'eq', value: id } as const
  const initialPage = await loadList(session, relatedPaymentsTable, searchParams, baseFilter)
  return { baseFilter, initialPage, mayCancel: hasPermission(session.role, 'cancel') }
}
