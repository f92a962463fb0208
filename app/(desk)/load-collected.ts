import { collectedTable } from '@/components/payments/collected-table'
import type { CollectedFirst } from '@/components/payments/collected-payments'
import { mayRole } from '@/lib/contract/permission'
import type { Session } from '@/lib/server/session'
import { loadTable, type SearchParams } from './load-table'

/** The payments of one customer or mandate, for its page. */
export async function loadCollected(
  session: Session,
  field: 'customer/id' | 'mandate/id',
  id: string,
  searchParams: SearchParams,
): Promise<CollectedFirst> {
  const within = { kind: 'compare', field, comparison: 'eq', value: id } as const
  return {
    within,
    mayCancel: mayRole(session.role, 'cancel'),
    ...(await loadTable(session, collectedTable, searchParams, within)),
  }
}
