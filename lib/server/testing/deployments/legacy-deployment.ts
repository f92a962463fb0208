import { type Script, startFaultService } from '../fault-service'
import { type ParsedRequest, type Deployment, type StoredPayment, makePayments, route } from './deployment'

const pair = 'old-user:old-password'

/** JSON as text/plain, with a byte order mark. */
const plain = (value: unknown, status = 200): Script => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8' },
  body: `\uFEFF${JSON.stringify(value)}`,
})
const page = (status: number): Script => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><script>alert(1)</script><h1>${status}</h1></html>`,
})

function toRecord({ id, status, amount }: StoredPayment, index: number) {
  return {
    id,
    status: status.toUpperCase(),
    amount,
    currency: 'dkk',
    description: null,
    reference: `OLD${index}`,
    paymentDate: '2026-11-25',
    scheduleDate: '2026-11-24',
    settlementDate: '0001-01-01T00:00:00',
    test: 'False',
    customer: null,
    mandate: { scheme: 'nets-bs' },
    createdAt: `2026-11-01T08:00:00+01:00`,
    sequence: index,
  }
}

/** Everything on one page, whatever the query; `hasMore` is missing. */
const list = (results: unknown[]) => plain({ results, nextOffset: null })

/**
 * An old service: JSON as text/plain, everything on one page, filter, order, `after` and `limit` ignored, `hasMore`
 * missing, errors as HTML, upper-case statuses, dates without a time, its own format for the reply to each write;
 * cancelled payments stay in the list as DELETED.
 */
export async function startLegacyDeployment(): Promise<Deployment> {
  const payments = makePayments(240)
  const service = await startFaultService((request) => {
    const sent = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString('utf8')
    if (sent !== pair) return page(401)
    const single = (fields: object) => (asked: ParsedRequest) =>
      Object.values(asked.params)[0]?.includes('nobody') ? page(404) : plain(fields)
    const customers = Array.from({ length: 130 }, (_, index) => ({
      id: String(index),
      name: `PAYER ${index}`,
      mandates: null,
    }))
    const answer = route(
      {
        getStatus: () => plain({ service: 'debit', up: true }),
        listCustomers: () => list(customers),
        createCustomer: ({ body }) =>
          body && typeof body === 'object' && 'number' in body ? page(400) : plain({ id: '130' }, 201),
        getCustomer: single({ id: '1', name: 'PAYER 1', number: 17, mandates: {}, extra: { deep: [1, [2]] } }),
        updateCustomer: () => plain({ id: '1' }),
        deleteCustomer: () => plain(true),
        listMandates: () => list([{ id: 1, scheme: 'nets-bs', status: 'CREATED', schemeData: { pbs: 1 } }, null]),
        getMandate: single({ id: 1, status: 'CREATED', customer: 'PAYER 1' }),
        createMerchant: () => plain('created', 202),
        getMerchant: () => plain([{ name: 'OLD LTD' }]),
        createAgreement: () => plain(null, 201),
        getAgreement: single({ id: 7, schemeData: 'cvr=12345678' }),
        deleteAgreement: () => ({ status: 202, headers: {}, body: '' }),
        listWebhooks: () => plain({ webhooks: { main: 'https://shop.example/hook' } }),
        subscribeWebhook: () => plain({ accepted: true }, 202),
        unsubscribeWebhook: () => plain('removed'),
        listPayments: () => list(payments.map(toRecord)),
        cancelPayment: ({ params }) => {
          const payment = payments.find(({ id }) => id === params.paymentId)
          if (payment?.status !== 'pending') return page(500)
          payment.status = 'cancelled'
          return plain({ Result: 'Accepted' }, 202)
        },
      },
      request,
    )
    return answer ?? page(404)
  })
  return { service, settings: { UPSTREAM_URL: service.url, UPSTREAM_TOKEN: pair }, payments }
}
