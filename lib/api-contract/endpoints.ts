import * as z from 'zod'
import { createAgreement, deleteAgreement, getAgreement } from './agreements'
import { createCustomer, deleteCustomer, getCustomer, listCustomers, updateCustomer } from './customers'
import { defineEndpoint } from './endpoint'
import { getMandate, listMandates } from './mandates'
import { createMerchant, getMerchant } from './merchants'
import { cancelPayment, listPayments } from './payments'
import { listWebhooks, subscribeWebhook, unsubscribeWebhook } from './webhooks'

const getStatus = defineEndpoint({
  id: 'getStatus',
  summary: 'Says that the service is up, in plain text.',
  permission: 'read',
  params: {},
  reply: z.unknown(),
  decisions: ['Needs no credential.'],
})

/** Every endpoint of the API by id, in the order of docs/upstream-api.md, section 4. */
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
