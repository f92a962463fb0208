import { and, eq, inArray } from 'drizzle-orm'
import type { Handler } from '../handler'
import { Problem } from '../http/problem'
import { openStates } from '../payments/payment-states'
import { customers, mandates, payments } from '../store/schema'
import { findCustomer } from './find-customer'

/**
 * DELETE /Customers/{customerId}: 204. Payments still to be collected answer 409; those that are over go
 * with the customer, as do the mandates.
 */
export const deleteCustomer: Handler<'deleteCustomer'> = async ({ db, caller, params }) => {
  const { id } = await findCustomer(db, caller.merchantId, params.customerId)
  const permits = and(eq(mandates.merchantId, caller.merchantId), eq(mandates.customerId, id))
  // From here on no payment is brought on them that would not be seen below.
  await db.select({ id: mandates.id }).from(mandates).where(permits).for('update')
  const own = and(eq(payments.merchantId, caller.merchantId), eq(payments.customerId, id))
  const open = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(own, inArray(payments.status, [...openStates])))
    .limit(1)
  if (open.length > 0) throw new Problem('open-payments', 'The customer has payments that are still to be collected.')
  await db.delete(payments).where(own)
  await db.delete(mandates).where(permits)
  await db.delete(customers).where(and(eq(customers.merchantId, caller.merchantId), eq(customers.id, id)))
  return { status: 204, outcome: 'deleted' }
}
