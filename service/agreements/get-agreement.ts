import type { Handler } from '../handler'
import { findAgreement, viewAgreement } from './agreement-view'

/** GET /Merchants/agreements/{agreementIdOrHandle}: an id wins over a handle. */
export const getAgreement: Handler<'getAgreement'> = async ({ db, caller, params }) => {
  return { status: 200, body: viewAgreement(await findAgreement(db, caller.merchantId, params.agreementIdOrHandle)) }
}
