import type { EndpointId } from './addresses'
import type { DocumentedName } from './documented'

/** A success reply: what it says, the record in it, and whether that stands alone, in an array or in a page. */
export type DocumentedReply = {
  description: string
  holds?: DocumentedName | 'text'
  as?: 'one' | 'array' | 'page'
  /** Whether a Location header says where the new resource is. */
  location?: boolean
}

const created = (holds: DocumentedName): DocumentedReply => ({ description: 'Created.', holds, location: true })
const gone: DocumentedReply = { description: 'Done.' }

/** The success replies of each endpoint by status. Most statuses and many bodies are decisions: the interface shows few. */
export const documentedReplies: Record<EndpointId, Record<number, DocumentedReply>> = {
  getStatus: { 200: { description: 'The service is up.', holds: 'text' } },
  listCustomers: { 200: { description: 'A page of customers.', holds: 'Customer', as: 'page' } },
  createCustomer: { 201: created('CustomerRecord') },
  getCustomer: { 200: { description: 'The customer.', holds: 'CustomerRecord' } },
  updateCustomer: { 200: { description: 'The customer as it is now.', holds: 'CustomerRecord' } },
  deleteCustomer: { 204: gone },
  listMandates: { 200: { description: 'A page of mandates.', holds: 'Mandate', as: 'page' } },
  getMandate: { 200: { description: 'The mandate.', holds: 'Mandate' } },
  createMerchant: { 201: created('MerchantCreated') },
  getMerchant: { 200: { description: "The caller's merchant.", holds: 'Merchant' } },
  createAgreement: { 201: created('Agreement') },
  getAgreement: { 200: { description: 'The agreement.', holds: 'Agreement' } },
  deleteAgreement: { 204: gone },
  listWebhooks: { 200: { description: 'All subscriptions, oldest first.', holds: 'Webhook', as: 'array' } },
  subscribeWebhook: {
    200: { description: 'The address was subscribed already.', holds: 'WebhookAddress' },
    201: created('WebhookCreated'),
  },
  unsubscribeWebhook: { 204: gone },
  listPayments: { 200: { description: 'A page of payments.', holds: 'Payment', as: 'page' } },
  cancelPayment: {
    202: { description: 'Accepted: the payment is cancelled soon after, unless it was handed over before.' },
  },
}
