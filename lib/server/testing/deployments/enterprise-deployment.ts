import { type Script, startFaultService } from '../fault-service'
import { type Asked, type Deployment, type KeptPayment, makePayments, route, say } from './deployment'
import { startTokenService, type TokenService } from './token-service'

const base = '/debit/v1'
const largest = 50
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
  return say(record, status, 'application/problem+json')
}

function tell({ id, status, amount }: KeptPayment, index: number) {
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

/** Cursors are opaque and full of characters that a query must encode; a filter it cannot read finds nothing. */
function paginate(rows: unknown[], { query }: Asked): Script {
  const limit = Number(query.get('limit') ?? 10)
  if (limit > largest) return problem(400, 'Validation failed', { Limit: [`must be at most ${largest}`] })
  if (query.has('filter')) return say({ results: [], nextOffset: '', hasMore: false })
  const after = query.get('after')
  const from = after === null ? 0 : Number(Buffer.from(after.slice(2), 'base64').toString('utf8').split('?')[1])
  if (Number.isNaN(from)) return problem(400, 'Validation failed', { After: ['is not one of ours'] })
  const to = from + limit
  const nextOffset = to < rows.length ? `+/${Buffer.from(`»?${to}`).toString('base64')}` : ''
  return say({ results: rows.slice(from, to), nextOffset, hasMore: to < rows.length, total: rows.length })
}

/**
 * A large house: OAuth 2.0 client credentials, a path before every path, problem+json with PascalCase errors,
 * 204 after every write and 201 with a Location alone, states as numbers, amounts as text, ids in capitals, a
 * limit above 50 refused, filters misunderstood as "nothing".
 */
export async function startEnterpriseDeployment(): Promise<Deployment & { tokens: TokenService }> {
  const payments = makePayments(120)
  const tokens = await startTokenService()
  const created = (path: string): Script => ({ status: 201, headers: { location: `${base}${path}` }, body: '' })
  const service = await startFaultService((request) => {
    if (!tokens.isLive(request.headers.authorization)) return problem(401, 'Unauthorized')
    const single = (fields: object) => (asked: Asked) =>
      Object.values(asked.params)[0]?.includes('nobody') ? problem(404, 'Not Found') : say(fields)
    const customers = Array.from({ length: 70 }, (_, index) => ({ id: `p-${index}`, name: `Société ${index}` }))
    const answer = route(
      {
        getStatus: () => say('Enterprise debit 9.1'),
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
        getMerchant: () => say({ merchant: { legal: { name: 'Enterprise SA' } } }),
        createAgreement: () => created('/Merchants/agreements/a-2'),
        getAgreement: single({
          id: 'a-1',
          status: 1,
          schemeData: { creditorId: 'FR72ZZZ' },
          limits: { day: '1000.00' },
        }),
        deleteAgreement: () => none,
        listWebhooks: () =>
          say({ results: [{ id: 1, webhookUrl: 'https://shop.example/h', secret: null }], hasMore: false }),
        subscribeWebhook: () => created('/Merchants/webhooks/1'),
        unsubscribeWebhook: () => none,
        listPayments: (asked) => paginate(payments.map(tell), asked),
        cancelPayment: ({ params }) => {
          const payment = payments.find(({ id }) => id === params.paymentId?.toLowerCase())
          if (payment?.status !== 'pending') return problem(409, 'Payment is final')
          payment.status = 'cancelled'
          return none
        },
      },
      request,
      base,
    )
    return answer ?? problem(404, 'Not Found')
  })
  const settings = {
    UPSTREAM_URL: `${service.url}${base}/`,
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
