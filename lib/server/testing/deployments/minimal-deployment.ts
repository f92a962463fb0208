import { type Script, startFaultService } from '../fault-service'
import { type ParsedRequest, type Deployment, type StoredPayment, makePayments, route, replyJson } from './deployment'

const key = 'minimal-key-0123456789'

const words = (text: string, status = 200): Script => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body: text,
})

/** A timestamp without milliseconds, offset or Z. */
const timestamp = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString().slice(0, 19)

function toRecord({ id, status, amount }: StoredPayment, index: number) {
  return {
    id,
    status,
    amount,
    currency: 'DKK',
    reference: `R-${index}`,
    paymentDate: timestamp(25),
    createdAt: timestamp(1),
  }
}

/** Pages by number: `after` is the start of the next page. Unknown query parameters are refused. */
function listCustomers({ query }: ParsedRequest): Script {
  const unknown = [...query.keys()].find((name) => !['after', 'limit'].includes(name))
  if (unknown) return words(`unknown parameter ${unknown}`, 400)
  const from = Number(query.get('after') ?? 0)
  const to = Math.min(45, from + Number(query.get('limit') ?? 20))
  const results = Array.from({ length: to - from }, (_, index) => ({
    id: `c${from + index}`,
    name: `Payer ${from + index}`,
  }))
  return replyJson({ results, nextOffset: to, hasMore: to < 45 })
}

/**
 * The minimum the API contract allows: few fields, plain text, a key in a header; 200 with text after every write; GET
 * /Payments without parameters; lower-case statuses; times without Z; an empty 404.
 */
export async function startMinimalDeployment(): Promise<Deployment> {
  const payments = makePayments(37)
  const hooks = ['https://shop.example/hook']
  const service = await startFaultService((request) => {
    if (request.headers['x-minimal-key'] !== key) return words('who are you', 401)
    const single = (fields: object) => (asked: ParsedRequest) =>
      Object.values(asked.params)[0]?.includes('nobody') ? { status: 404, headers: {}, body: '' } : replyJson(fields)
    const answer = route(
      {
        getStatus: () => words('ok'),
        listCustomers,
        createCustomer: ({ body }) =>
          body && typeof body === 'object' && 'number' in body
            ? replyJson({ errors: { number: 'is taken' } }, 400)
            : words('created'),
        getCustomer: single({ name: 'Payer 1' }),
        updateCustomer: () => words(''),
        deleteCustomer: () => words('gone'),
        listMandates: () => replyJson({ results: [{ id: 'm1', status: 'created' }], hasMore: false }),
        getMandate: single({ status: 'created' }),
        createMerchant: () => words('created'),
        getMerchant: () => replyJson({ name: 'Minimal Ltd' }),
        createAgreement: () => words('created'),
        getAgreement: single({ scheme: 'nets-bs' }),
        deleteAgreement: () => words('gone'),
        listWebhooks: () => replyJson(hooks),
        subscribeWebhook: () => words('ok'),
        unsubscribeWebhook: () => words('ok'),
        listPayments: ({ query }) =>
          query.size > 0
            ? words('no parameters here', 400)
            : replyJson({ results: payments.map(toRecord), hasMore: false, nextOffset: 0 }),
        cancelPayment: ({ params }) => {
          const payment = payments.find(({ id }) => id === params.paymentId)
          if (payment?.status !== 'pending') return words('cannot be cancelled', 400)
          payment.status = 'cancelled'
          return words('accepted')
        },
      },
      request,
    )
    return answer ?? { status: 404, headers: {}, body: '' }
  })
  const settings = {
    UPSTREAM_URL: service.url,
    UPSTREAM_AUTH: 'header',
    UPSTREAM_HEADER: 'X-Minimal-Key',
    UPSTREAM_TOKEN: key,
  }
  return { service, settings, payments }
}
