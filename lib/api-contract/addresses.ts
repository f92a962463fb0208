/**
 * Method and path of each of the 18 endpoints by id (docs/upstream-api.md, section 4). Paths are case-sensitive; `{x}`
 * marks a path parameter. Plain data, so that the browser can address the gateway without loading zod.
 */
export const addresses = {
  getStatus: { method: 'GET', path: '/' },
  listCustomers: { method: 'GET', path: '/Customers' },
  createCustomer: { method: 'POST', path: '/Customers' },
  getCustomer: { method: 'GET', path: '/Customers/{customerIdOrHandle}' },
  updateCustomer: { method: 'PUT', path: '/Customers/{customerIdOrHandle}' },
  deleteCustomer: { method: 'DELETE', path: '/Customers/{customerId}' },
  listMandates: { method: 'GET', path: '/Customers/mandates' },
  getMandate: { method: 'GET', path: '/Customers/mandates/{mandateIdOrHandle}' },
  createMerchant: { method: 'POST', path: '/Merchants' },
  getMerchant: { method: 'GET', path: '/Merchants' },
  createAgreement: { method: 'POST', path: '/Merchants/agreements' },
  getAgreement: { method: 'GET', path: '/Merchants/agreements/{agreementIdOrHandle}' },
  deleteAgreement: { method: 'DELETE', path: '/Merchants/agreements/{agreementId}' },
  listWebhooks: { method: 'GET', path: '/Merchants/webhooks' },
  subscribeWebhook: { method: 'POST', path: '/Merchants/webhooks/subscribe' },
  unsubscribeWebhook: { method: 'POST', path: '/Merchants/webhooks/unsubscribe' },
  listPayments: { method: 'GET', path: '/Payments' },
  cancelPayment: { method: 'DELETE', path: '/Payments/{paymentId}' },
} as const satisfies Record<string, { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: `/${string}` }>

/** An endpoint's name in the gateway, the embedded service and the tests. */
export type EndpointId = keyof typeof addresses

/** The names between braces in a path template, as a union. */
export type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never
