import type { Handler } from '../handler'
import { findPaymentPage } from './find-payment-page'

/** GET /Payments: one keyset page. */
export const listPayments: Handler<'listPayments'> = async ({ db, caller, query, settings }) => ({
  status: 200,
  body: await findPaymentPage(db, caller.merchantId, query, settings.cursorSecret),
})
