import { and, eq } from 'drizzle-orm'
import type { Handler } from '../handler'
import { fold, grams } from '../query/fold'
import { customers, mandates, payments } from '../store/schema'
import { type CustomerRow, customerColumns, viewCustomer } from './customer-view'
import { findCustomer } from './find-customer'

type Change = Parameters<Handler<'updateCustomer'>>[0]

/** The customer's name and number are repeated where lists sort and search by them. */
async function repeatSearch({ db, caller }: Change, { id, nameSearch, numberSearch }: CustomerRow): Promise<void> {
  await db
    .update(mandates)
    .set({ customerSearch: nameSearch, customerNumberSearch: numberSearch, grams: grams(nameSearch, numberSearch) })
    .where(and(eq(mandates.merchantId, caller.merchantId), eq(mandates.customerId, id)))
  const own = and(eq(payments.merchantId, caller.merchantId), eq(payments.customerId, id))
  const rows = await db.select({ id: payments.id, referenceSearch: payments.referenceSearch }).from(payments).where(own)
  for (const row of rows) {
    await db
      .update(payments)
      .set({ customerSearch: nameSearch, grams: grams(nameSearch, row.referenceSearch) })
      .where(and(own, eq(payments.id, row.id)))
  }
}

/** PUT /Customers/{customerIdOrHandle}: changes the fields that are given, leaves the others (decision 0002). */
export const updateCustomer: Handler<'updateCustomer'> = async (call) => {
  const { db, caller, params, body, now } = call
  const before = await findCustomer(db, caller.merchantId, params.customerIdOrHandle, { keep: true })
  const [nameSearch, numberSearch] = [fold(body.name ?? before.name), fold(body.number ?? before.number)]
  const [row] = await db
    .update(customers)
    .set({ ...body, nameSearch, numberSearch, grams: grams(nameSearch, numberSearch), modifiedAt: now })
    .where(and(eq(customers.merchantId, caller.merchantId), eq(customers.id, before.id)))
    .returning(customerColumns)
  if (!row) throw new Error('The customer was not stored')
  if (nameSearch !== before.nameSearch || numberSearch !== before.numberSearch) await repeatSearch(call, row)
  return { status: 200, body: await viewCustomer(db, caller.merchantId, row), outcome: 'changed' }
}
