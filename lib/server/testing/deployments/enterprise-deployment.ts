import { type Script, startFaultService } from '../fault-service'
import { type ParsedRequest, type Deployment, type StoredPayment, makePayments, route, replyJson } from './deployment'
import { startTokenService, type TokenService } from './token-service'

const BASE_PATH = '/debit/v1'
const MAX_PAGE_SIZE = 50
const none: Script = { status: 204, headers: {}, body: '' }
const numbers = { pending: 0, settled: 8, cancelled: 512 } as const

function problem(status: number, title: string, errors?: Record<string, string[]>): Script {
  const record = {
    type: `urn:enterprise:${status}`,
    title,
    status,
    detail: `${title}.`,
    traceId: '00-ab-cd-00',
    errors,
  }
  return replyJson(record, status, 'application/problem+json')
}

function toRecord({ id, status, amount }: StoredPayment, index: number) {
  return {
    id: id.toUpperCase(),
    status: numbers[status],
    amount: (amount / 100).toFixed(2),
    currency: 'EUR',
    reference: `E/${index}`,
    test: false,
    paymentDate: '2026-11-25T00:00:00+00:00',
    createdAt: `2026-11-01T08:00:${String(59 - (index % 60)).padStart(2, '0')}.1234567Z`,
    customer: { id: `p-${index % 7}`, name: `Société ${index % 7}`, vat: 'FR1' },
    mandate: { id: `m-${index % 7}`, handle: `md_${index % 7}`, scheme: 'sepa-core' },
    links: [{ rel: 'self', href: `/payments/${id}` }],
  }
}

/** Cursors are opaque and need encoding in a query; an unreadable filter matches nothing. */
function paginate(rows: unknown[], { query }: ParsedRequest): Script {
  const limit = Number(query.get('limit') ?? 10)
  if (limit > MAX_PAGE_SIZE) return problem(400, 'Validation failed', { Limit: [`must be at most ${MAX_PAGE_SIZE}`] })
  if (query.has('filter')) return replyJson({ results: [], nextOffset: '', hasMore: false })
  const after = query.get('after')
  const from = after === null ? 0 : Number(Buffer.from(after.slice(2), 'base64').toString('utf8').split('?')[1])
  if (Number.isNaN(from)) return problem(400, 'Validation failed', { After: ['is not one of ours'] })
  const to = from + limit
  const nextOffset = to < rows.length ? `+/${Buffer.from(`»?${to}`).toString('base64')}` : ''
  return replyJson({ results: rows.slice(from, to), nextOffset, hasMore: to < rows.length, total: rows.length })
}

/**
 * A large company's service: OAuth 2.0 client credentials, a path prefix, problem+json with PascalCase errors, 204 after
 * every write and 201 with only a Location, statuses as numbers, amounts as text, upper-case ids, limits above 50 refused,
 * unreadable filters matching nothing.
 */
export async function startEnterpriseDeployment(): Promise<Deployment & { tokens: TokenService }> {
  const payments = makePayments(120)
  const tokens = await startTokenService()
  const created = (path: string): Script => ({ status: 201, headers: { location: `${BASE_PATH}${path}` }, body: '' })
  const service = await startFaultService((request) => {
    if (!tokens.isLive(request.headers.authorization)) return problem(401, 'Unauthorized')
    const single = (fields: object) => (asked: ParsedRequest) =>
      Object.values(asked.params)[0]?.includes('nobody') ? problem(404, 'Not Found') : replyJson(fields)
    const customers = Array.from({ length: 70 }, (_, index) => ({ id: `p-${index}`, name: `Société ${index}` }))
    const answer = route(
      {
        getStatus: () => replyJson('Enterprise debit 9.1'),
        listCustomers: (asked) => paginate(customers, asked),
        createCustomer: ({ body }) =>
          body && typeof body === 'object' && 'number' in body
            ? problem(422, 'Validation failed', { Number: ['is taken'], 'Address.Line9': ['is odd'] })
            : created('/Customers/p-71'),
        getCustomer: single({
          id: 'p-1',
          name: 'Société 1',
          mandates: [],
          riskClass: 3,
          addresses: [{ city: 'Lyon' }],
        }),
        updateCustomer: () => none,
        deleteCustomer: () => none,
        listMandates: (asked) =>
          paginate([{ id: 'm-1', status: 1, scheme: 'sepa-core', customer: { id: 'p-1' } }], asked),
        getMandate: single({ id: 'm-1', status: 1, signedAt: '2026-01-01T00:00:00.000+01:00' }),
        createMerchant: () => created('/Merchants/me'),
        getMerchant: () => replyJson({ merchant: { legal: { name: 'Enterprise SA' } } }),
        createAgreement: () => created('/Merchants/agreements/a-2'),
        getAgreement: single({
          id: 'a-1',
          status: 1,
          schemeData: { creditorId: 'FR72ZZZ' },
          limits: { day: '1000.00' },
        }),
        deleteAgreement: () => none,
        listWebhooks: () =>
          replyJson({ results: [{ id: 1, webhookUrl: 'https://shop.example/h', secret: null }], hasMore: false }),
        subscribeWebhook: () => created('/Merchants/webhooks/1'),
        unsubscribeWebhook: () => none,
        listPayments: (asked) => paginate(payments.map(toRecord), asked),
        cancelPayment: ({ params }) => {
          const payment = payments.find(({ id }) => id === params.paymentId?.toLowerCase())
          if (payment?.status !== 'pending') return problem(409, 'Payment is final')
          payment.status = 'cancelled'
          return none
        },
      },
      request,
      BASE_PATH,
    )
    return answer ?? problem(404, 'Not Found')
  })
  const settings = {
    UPSTREAM_URL: `${service.url}${BASE_PATH}/`,
    UPSTREAM_AUTH: 'client-credentials',
    UPSTREAM_TOKEN_URL: tokens.url,
    UPSTREAM_CLIENT_ID: tokens.clientId,
    UPSTREAM_CLIENT_SECRET: tokens.clientSecret,
    UPSTREAM_SCOPE: 'payments',
    UPSTREAM_AMOUNTS: 'major',
    UPSTREAM_CANCELLABLE: '0',
    UPSTREAM_CANCELLED: '512',
    UPSTREAM_FINAL: '8,64,256',
  }
  return { service, settings, payments, tokens }
}
