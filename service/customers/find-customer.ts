import type { Database } from '@/lib/database/open-database'
import { Problem } from '../http/problem'
import { byIdOrHandle, preferId } from '../query/by-id-or-handle'
import { customers } from '../store/schema'
import { type CustomerRow, customerColumns } from './customer-view'

/**
 * Finds a merchant's customer by id or handle. With `keep` nobody else changes the row until the transaction
 * ends. Throws Problem `not-found`, also for another merchant's.
 */
export async function findCustomer(
  db: Database,
  merchantId: string,
  idOrHandle: string,
  { keep = false } = {},
): Promise<CustomerRow> {
  const found = db
    .select(customerColumns)
    .from(customers)
    .where(byIdOrHandle(customers, merchantId, idOrHandle))
    .limit(2)
  const rows = await (keep ? found.for('no key update') : found)
  const row = preferId(rows, idOrHandle)
  if (!row) throw new Problem('not-found', 'There is no such customer.')
  return row
}
