import type { Handler } from '../handler'
import { viewCustomer } from './customer-view'
import { findCustomer } from './find-customer'

/** GET /Customers/{customerIdOrHandle}: an id wins over a handle. */
export const getCustomer: Handler<'getCustomer'> = async ({ db, caller, params }) => {
  const row = await findCustomer(db, caller.merchantId, params.customerIdOrHandle)
  return { status: 200, body: await viewCustomer(db, caller.merchantId, row) }
}
