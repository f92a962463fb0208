import { type Script, startFaultService } from '../fault-service'
import { type ParsedRequest, type Deployment, type StoredPayment, makePayments, route, replyJson } from './deployment'

const token = 'fronted-token-0123456789'
const MAX_PAGE_SIZE = 20
/** Every fifteenth request is answered 429. */
const THROTTLE_EVERY = 15

/** Ids beyond a double's precision, as JSON numbers. */
const FIRST_ID = 9_007_199_254_740_993n
const idOf = (index: number) => String(FIRST_ID + BigInt(index * 2))

/** JSON in which strings such as `#123` become the number 123, digit by digit. */
function replyNumbers(value: unknown, status = 200): Script {
  const { body, ...rest } = replyJson(value, status, 'text/json; charset=utf-8')
  return { ...rest, body: String(body).replaceAll(/"#(\d+)"/gu, '$1') }
}

const refuse = (status: number, message: string, details: object[] = []) =>
  replyNumbers({ error: { code: status * 10, message, details } }, status)

function toRecord({ status, amount }: StoredPayment, index: number) {
  return {
    id: `#${idOf(index)}`,
    status: { pending: 'open', settled: 'collected', cancelled: 'void' }[status],
    amount: String(amount),
    currency: 'SEK',
    reference: index % 4 === 0 ? '' : `№ ${index} / åäö`,
    paymentDate: '2026-11-25',
    scheduleDate: '2026-11-23 00:00:00',
    createdAt: `2026-11-20T0${index % 10}:00:00+0100`,
    customer: { id: `#${String(70 + (index % 5))}`, name: `Kund ${index % 5}` },
    mandate: null,
    test: index % 10 === 0 ? 1 : 0,
  }
}

function paginate(rows: readonly unknown[], { query }: ParsedRequest): Script {
  const limit = Number(query.get('limit') ?? 10)
  if (limit > MAX_PAGE_SIZE)
    return refuse(400, 'limit is too large', [{ field: 'limit', issue: `at most ${MAX_PAGE_SIZE}` }])
  const known = ['limit', 'after']
  const unknown = [...query.keys()].find((name) => !known.includes(name))
  if (unknown) return refuse(400, `unknown parameter ${unknown}`)
  const from = Number(query.get('after') ?? 1_000) - 1_000
  const to = from + limit
  return replyNumbers({ results: rows.slice(from, to), nextOffset: `#${1_000 + to}`, hasMore: to < rows.length })
}

/**
 * A service behind a gateway: a bearer token, pages of at most twenty, numeric offsets starting at a thousand, ids as
 * numbers that a double would round, amounts as text, its own statuses, errors in the gateway's format, 202 after every
 * write, and occasionally 429 with a date.
 */
export async function startFrontedDeployment(): Promise<Deployment> {
  const payments = makePayments(90).map((payment, index) => ({ ...payment, id: idOf(index) }))
  const customers = Array.from({ length: 33 }, (_, index) => ({
    id: `#${70 + index}`,
    name: `Kund ${index}`,
    number: null,
  }))
  let asked = 0
  const service = await startFaultService((request) => {
    if (request.headers.authorization !== `Bearer ${token}`) return refuse(401, 'no')
    asked += 1
    if (asked % THROTTLE_EVERY === 0) {
      const headers = { 'content-type': 'text/html', 'retry-after': new Date(Date.now() + 2_000).toUTCString() }
      return { status: 429, headers, body: '<html><h1>Slow down</h1></html>' }
    }
    const done: Script = { status: 202, headers: {}, body: '' }
    const answer = route(
      {
        getStatus: () => ({ status: 204, headers: {}, body: '' }),
        listCustomers: (query) => paginate(customers, query),
        createCustomer: () => refuse(422, 'invalid', [{ field: 'postal_code', message: 'has five digits here' }]),
        getCustomer: ({ params }) =>
          Number(params.customerIdOrHandle) >= 70
            ? replyNumbers([
                {
                  id: `#${params.customerIdOrHandle}`,
                  name: `Kund ${Number(params.customerIdOrHandle) - 70}`,
                  mandates: 'see /mandates',
                },
              ])
            : refuse(404, 'no such customer'),
        updateCustomer: () => done,
        deleteCustomer: () => done,
        listMandates: (query) =>
          paginate([null, { id: '#1', status: 4, customer: { name: 'Kund 1' } }, { handle: 'm2' }], query),
        getMandate: () => replyNumbers({ mandate: { id: '#1', status: 4 } }),
        createMerchant: () => refuse(405, 'not here'),
        getMerchant: () => ({ status: 204, headers: {}, body: '' }),
        createAgreement: () => done,
        getAgreement: () => refuse(404, 'no such agreement'),
        deleteAgreement: () => done,
        listWebhooks: () => replyNumbers({ 'https://shop.example/hook': { active: true, since: '2026-11-01' } }),
        subscribeWebhook: () => done,
        unsubscribeWebhook: () => done,
        listPayments: (query) => paginate(payments.map(toRecord), query),
        cancelPayment: ({ params }) => {
          const payment = payments.find(({ id }) => id === params.paymentId)
          if (!payment) return refuse(404, 'no such payment')
          if (payment.status !== 'pending') return refuse(400, 'cannot be voided')
          payment.status = 'cancelled'
          return done
        },
      },
      request,
    )
    return answer ?? refuse(404, 'no route')
  })
  const settings = {
    UPSTREAM_URL: service.url,
    UPSTREAM_AUTH: 'bearer',
    UPSTREAM_TOKEN: token,
    UPSTREAM_CANCELLABLE: 'open',
    UPSTREAM_CANCELLED: 'void',
    UPSTREAM_FINAL: 'collected',
  }
  return { service, settings, payments }
}
