import type { CollectedProps } from '@/components/payments/collected-payments'
import { collectedTable } from '@/components/payments/collected-table'
import { mayRole } from '@/lib/contract/permission'
import type { Session } from '@/lib/server/session'
import { loadList, type SearchParams } from './load-list'

/** The payments of one customer or mandate, for its page. */
export async function loadCollected(
  session: Session,
  field: 'customer/id' | 'mandate/id',
  id: string,
  searchParams: SearchParams,
): Promise<CollectedProps> {
  const within = { kind: 'compare', field, comparison: 'eq', value: id } as const
  const first = await loadList(session, collectedTable, searchParams, within)
  return { within, first, mayCancel: mayRole(session.role, 'cancel') }
}
