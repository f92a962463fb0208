import * as z from 'zod'
import type { EndpointId } from './addresses'

/*
 * The strict schemas of replies, for the OpenAPI document: the fields of docs/upstream-api.md, section 2, with their
 * types and, where the interface shows no body, what the embedded service answers. The tolerant schemas (customers.ts,
 * payments.ts …) require none of this: a client must accept more than a service may send. A test compares the fields
 * of both.
 */

/** Any UUID version: the interface names no RFC. */
const id = z.guid()
const timestamp = z.iso.datetime()
const day = z.iso.datetime().describe("A day of the scheme's calendar, written as midnight UTC.")
const freeForm = z.record(z.string(), z.unknown())
const scheme = z.string().describe('Such as nets-bs, nets-ls, mastercard-bs, sepa-core. Not a closed list.')

const paymentStatus = z
  .enum(['Pending', 'Scheduled', 'Settled', 'Rejected', 'Chargeback', 'Cancelled'])
  .describe('Pending → Scheduled → Settled or Rejected; Settled → Chargeback; Pending → Cancelled.')
const mandateStatus = z
  .enum(['Created', 'Active', 'Cancelled', 'Expired'])
  .describe('Created → Active → Cancelled or Expired.')
const agreementStatus = z.enum(['Pending', 'Active']).describe('Pending → Active.')

const customer = z.object({
  id,
  name: z.string(),
  handle: z.string(),
  number: z.string(),
  createdAt: timestamp,
  modifiedAt: timestamp,
  mandates: z.array(z.object({ handle: z.string(), scheme, state: mandateStatus })),
})

const mandate = z.object({
  id,
  handle: z.string(),
  scheme,
  status: mandateStatus,
  schemeData: z.array(z.unknown()),
  customer: z.object({ id, handle: z.string(), name: z.string(), number: z.string() }),
})

const agreement = z.object({
  id,
  handle: z.string(),
  scheme,
  status: agreementStatus,
  schemeData: freeForm,
  test: z.boolean(),
  dataSourceHandle: z.string().nullable(),
  createdAt: timestamp,
  modifiedAt: timestamp,
})

const merchant = z.object({
  id,
  handle: z.string(),
  name: z.string(),
  isvHandle: z.string().nullable(),
  metaData: freeForm,
  createdAt: timestamp,
  modifiedAt: timestamp,
  agreements: z.array(agreement.pick({ id: true, handle: true, scheme: true, status: true, test: true })),
})

const payment = z.object({
  id,
  paymentDate: day,
  scheduleDate: day,
  handle: z.string(),
  description: z.string(),
  reference: z.string(),
  amount: z.int().describe('Whole minor units of the currency: 124500 with DKK is 1,245.00 kr.'),
  currency: z.string().describe('ISO 4217.'),
  test: z.boolean(),
  status: paymentStatus,
  settlementDate: day.nullable(),
  createdAt: timestamp,
  modifiedAt: timestamp,
  customer: z.object({ id, name: z.string() }),
  mandate: z.object({ id, handle: z.string(), scheme }),
})

const webhook = z.object({
  id,
  webhookUrl: z.string(),
  createdAt: timestamp,
  disabledAt: timestamp
    .optional()
    .describe('Since when nothing is sent any more; absent while it is. Subscribing again enables it.'),
  disabledBecause: z
    .enum(['gone', 'failing'])
    .optional()
    .describe('gone: it answered 410. failing: it took nothing for three days.'),
  failingSince: timestamp.optional().describe('Since when it has taken nothing; absent once it has taken something.'),
})

/** The body of a webhook delivery: what happened, when, and the resource at that time. */
const event = z.discriminatedUnion('objectType', [
  z.object({
    objectType: z.literal('payment'),
    eventType: z.string().describe('created, scheduled, settled, rejected, chargeback or cancelled.'),
    timeStamp: timestamp,
    data: payment,
  }),
  z.object({
    objectType: z.literal('mandate'),
    eventType: z.string().describe('registration, cancel or expired.'),
    timeStamp: timestamp,
    data: mandate,
  }),
  z.object({
    objectType: z.literal('agreement'),
    eventType: z.string().describe('active.'),
    timeStamp: timestamp,
    data: agreement.extend({
      schemeData: agreement.shape.schemeData.optional().describe('Absent when it is larger than 16 KB.'),
    }),
  }),
])

const problem = z.object({
  type: z.string().describe('One of the catalogue.'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  instance: z.string().describe('Names this occurrence.'),
  traceId: z.string().describe('A W3C trace-parent; continues the one that the request carried.'),
  errors: z.record(z.string(), z.array(z.string())).optional().describe('Messages by field.'),
  position: z.int().min(0).optional().describe('Where a filter or order is not understood, in UTF-16 code units.'),
  expected: z.array(z.string()).optional().describe('What would have been understood there.'),
})

/** The records in replies by their names in the OpenAPI document. */
export const documentedRecords = {
  Customer: customer,
  CustomerRecord: customer.extend({
    addressLine1: z.string(),
    addressLine2: z.string(),
    city: z.string(),
    country: z.string(),
    postalCode: z.string(),
  }),
  Mandate: mandate,
  Merchant: merchant,
  MerchantCreated: merchant.extend({ token: z.string().describe('Told this once.') }),
  Agreement: agreement,
  Webhook: webhook,
  WebhookCreated: webhook.extend({
    secret: z.string().describe('Signs what is posted to this address (Standard Webhooks). Told this once.'),
  }),
  WebhookAddress: webhook.pick({ webhookUrl: true }).extend({
    secret: z.string().optional().describe('The new secret, when one was asked for. Told this once.'),
  }),
  Payment: payment,
  Event: event,
  Problem: problem,
} as const

export type DocumentedName = keyof typeof documentedRecords

/** A success reply. `as` says whether its record comes alone, in an array or in a page. */
export type DocumentedReply = {
  description: string
  holds?: DocumentedName | 'text'
  as?: 'one' | 'array' | 'page'
  /** Whether a Location header names the new resource. */
  location?: boolean
}

const created = (holds: DocumentedName): DocumentedReply => ({ description: 'Created.', holds, location: true })
const noContent: DocumentedReply = { description: 'Done.' }

/** The success replies of each endpoint by status. Most statuses and many bodies are our decisions: the interface shows few. */
export const documentedReplies: Record<EndpointId, Record<number, DocumentedReply>> = {
  getStatus: { 200: { description: 'The service is up.', holds: 'text' } },
  listCustomers: { 200: { description: 'A page of customers.', holds: 'Customer', as: 'page' } },
  createCustomer: { 201: created('CustomerRecord') },
  getCustomer: { 200: { description: 'The customer.', holds: 'CustomerRecord' } },
  updateCustomer: { 200: { description: 'The customer as it is now.', holds: 'CustomerRecord' } },
  deleteCustomer: { 204: noContent },
  listMandates: { 200: { description: 'A page of mandates.', holds: 'Mandate', as: 'page' } },
  getMandate: { 200: { description: 'The mandate.', holds: 'Mandate' } },
  createMerchant: { 201: created('MerchantCreated') },
  getMerchant: { 200: { description: "The caller's merchant.", holds: 'Merchant' } },
  createAgreement: { 201: created('Agreement') },
  getAgreement: { 200: { description: 'The agreement.', holds: 'Agreement' } },
  deleteAgreement: { 204: noContent },
  listWebhooks: { 200: { description: 'All subscriptions, oldest first.', holds: 'Webhook', as: 'array' } },
  subscribeWebhook: {
    200: { description: 'The address was subscribed already.', holds: 'WebhookAddress' },
    201: created('WebhookCreated'),
  },
  unsubscribeWebhook: { 204: noContent },
  listPayments: { 200: { description: 'A page of payments.', holds: 'Payment', as: 'page' } },
  cancelPayment: {
    202: { description: 'Accepted: the payment is cancelled soon after, unless it was handed over before.' },
  },
}
