import { createAgreement } from './agreements/create-agreement'
import { deleteAgreement } from './agreements/delete-agreement'
import { getAgreement } from './agreements/get-agreement'
import { createCustomer } from './customers/create-customer'
import { deleteCustomer } from './customers/delete-customer'
import { getCustomer } from './customers/get-customer'
import { listCustomers } from './customers/list-customers'
import { updateCustomer } from './customers/update-customer'
import type { Handler, Handlers, Preparations } from './handler'
import { getMandate } from './mandates/get-mandate'
import { listMandates } from './mandates/list-mandates'
import { createMerchant } from './merchants/create-merchant'
import { getMerchant } from './merchants/get-merchant'
import { cancelPayment } from './payments/cancel-payment'
import { listPayments } from './payments/list-payments'
import { listWebhooks } from './webhooks/list-webhooks'
import { checkCallback, subscribeWebhook } from './webhooks/subscribe-webhook'
import { unsubscribeWebhook } from './webhooks/unsubscribe-webhook'

/** GET /: plain text, without a credential. */
const getStatus: Handler<'getStatus'> = async () => ({ status: 200, body: 'The direct-debit service is up.' })

/** The verbs of the service by endpoint. */
export const handlers: Handlers = {
  getStatus,
  listCustomers,
  createCustomer,
  getCustomer,
  updateCustomer,
  deleteCustomer,
  listMandates,
  getMandate,
  createMerchant,
  getMerchant,
  createAgreement,
  getAgreement,
  deleteAgreement,
  listWebhooks,
  subscribeWebhook,
  unsubscribeWebhook,
  listPayments,
  cancelPayment,
}

/** The few verbs that look something up elsewhere first. */
export const preparations: Preparations = { subscribeWebhook: checkCallback }
