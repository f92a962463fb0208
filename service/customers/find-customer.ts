import type { Database } from '@/lib/database/open-database'
import { Problem } from '../http/problem'
import { byIdOrHandle, preferId } from '../query/by-id-or-handle'
import { customers } from '../store/schema'
import { type CustomerRow, customerColumns } from './customer-view'

/** Finds a merchant's customer by id or handle. Throws Problem `not-found`, also for another merchant's. */
export async function findCustomer(db: Database, merchantId: string, idOrHandle: string): Promise<CustomerRow> {
  const rows = await db
    .select(customerColumns)
    .from(customers)
    .where(byIdOrHandle(customers, merchantId, idOrHandle))
    .limit(2)
  const row = preferId(rows, idOrHandle)
  if (!row) throw new Problem('not-found', 'There is no such customer.')
  return row
}
