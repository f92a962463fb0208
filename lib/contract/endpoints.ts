import { createAgreement, deleteAgreement, getAgreement } from './agreements'
import { createCustomer, deleteCustomer, getCustomer, listCustomers, updateCustomer } from './customers'
import { getMandate, listMandates } from './mandates'
import { createMerchant, getMerchant } from './merchants'
import { cancelPayment, listPayments } from './payments'
import { getStatus } from './service'
import { listWebhooks, subscribeWebhook, unsubscribeWebhook } from './webhooks'

/** The interface: every endpoint by its id, in the order of docs/upstream-api.md, section 4. */
export const endpoints = {
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
} as const

export type Endpoints = typeof endpoints
