import { randomUUID } from 'node:crypto'
import { type Script, startFaultService } from '../fault-service'
import { type ParsedRequest, type Deployment, type StoredPayment, makePayments, route, replyJson } from './deployment'

const BASE_PATH = '/api/v2'
const token = 'aspnet-token-0123456789'

function problem(status: number, title: string, more: object = {}): Script {
  const traceId = `00-${randomUUID().replaceAll('-', '')}-00f067aa0ba902b7-00`
  return replyJson(
    { Type: `https://tools.ietf.org/html/rfc9110#${status}`, Title: title, Status: status, TraceId: traceId, ...more },
    status,
    'application/problem+json; charset=utf-8',
  )
}

/** The developer's error page, left on by mistake. */
const exceptionPage: Script = {
  status: 500,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>An unhandled exception occurred</h1><script>alert(1)</script></body></html>',
}

const states = { pending: 'Pending', settled: 'Settled', cancelled: 'Annulled' } as const

function toRecord({ id, status, amount }: StoredPayment, index: number) {
  return {
    Id: id,
    PaymentDate: '2026-11-25T00:00:00',
    ScheduleDate: '2026-11-23T00:00:00',
    Handle: null,
    Description: index % 2 === 0 ? 'Membership' : null,
    Reference: `INV-${1_000 + index}`,
    Amount: amount / 100,
    Currency: index % 9 === 0 ? 'JPY' : 'DKK',
    Test: false,
    Status: states[status],
    SettlementDate: '0001-01-01T00:00:00',
    CreatedAt: `2026-11-${String(20 - (index % 19)).padStart(2, '0')}T08:15:30.1234567`,
    ModifiedAt: '0001-01-01T00:00:00',
    Customer: { Id: `c0ffee00-0000-4000-8000-00000000000${index % 9}`, Name: `Kunde ${index % 9}`, Segment: 'B2B' },
    Mandate: { Id: '0d15ea5e-0000-4000-8000-000000000001', Handle: 'aftale-1', Scheme: 'Betalingsservice' },
    Batch: { Number: Math.floor(index / 10), Open: true },
  }
}

/** `after` is a row count as a JSON number; unknown parameters cause an exception. */
function paginate(rows: readonly unknown[], { query }: ParsedRequest): Script {
  if (query.has('filter') || query.has('orderby')) return exceptionPage
  const from = Number(query.get('after') ?? 0)
  const to = from + Math.min(100, Number(query.get('limit') ?? 20))
  return replyJson({
    Results: rows.slice(from, to),
    HasMore: to < rows.length,
    NextOffset: to < rows.length ? to : 0,
    TotalCount: rows.length,
  })
}

const wrap = (data: unknown) => replyJson({ Data: data, Success: true, Message: null })

/**
 * In the style of older ASP.NET: PascalCase names, single records wrapped in Data, dates with seven decimals, no zone and
 * the year 1 for none, decimals in whole currency, its own status for cancelled, problem+json with `Errors` by `$.Path`,
 * HTML on exceptions, which filters and orders cause.
 */
export async function startAspnetDeployment(): Promise<Deployment> {
  const payments = makePayments(230)
  const customers = Array.from({ length: 9 }, (_, index) => ({
    Id: `c0ffee00-0000-4000-8000-00000000000${index}`,
    Name: `Kunde ${index}`,
    Handle: index === 3 ? null : `kunde-${index}`,
    Number: 1_000 + index,
    CreatedAt: '2026-01-02T03:04:05.0000000',
    Mandates: index === 0 ? null : [{ Handle: 'aftale-1', Scheme: 'Betalingsservice', State: 'Signed' }],
  }))
  const mandate = {
    Id: '0d15ea5e-0000-4000-8000-000000000001',
    Handle: 'aftale-1',
    Scheme: 'Betalingsservice',
    Status: 'Signed',
    SchemeData: [{ Key: 'DebtorGroup', Value: '00001' }],
    Customer: { Id: customers[1]?.Id, Handle: 'kunde-1', Name: 'Kunde 1', Number: '1001' },
  }
  const agreement = {
    Id: '5ca1ab1e-0000-4000-8000-000000000001',
    Scheme: 'Betalingsservice',
    Status: 3,
    Test: 'False',
    SchemeData: { PbsNumber: '01234567' },
  }
  const hooks = ['https://shop.example/hook']
  const service = await startFaultService((request) => {
    if (request.headers.authorization !== `Bearer ${token}`) return problem(401, 'Unauthorized')
    const missing = problem(404, 'Not Found')
    const pick =
      (rows: readonly { Id: string; Handle?: string | null }[]) =>
      ({ params }: ParsedRequest) => {
        const [word] = Object.values(params)
        const row = rows.find(({ Id, Handle }) => Id === word || (Handle && Handle === word))
        return row ? wrap(row) : missing
      }
    const createdAt = (path: string): Script => ({
      status: 201,
      headers: { location: `https://internal.example${BASE_PATH}${path}` },
      body: '',
    })
    const answer = route(
      {
        getStatus: () => replyJson({ Name: 'Debit', Version: '4.8.1', Environment: 'Production' }),
        listCustomers: (asked) => paginate(customers, asked),
        createCustomer: ({ body }) =>
          body && typeof body === 'object' && 'number' in body
            ? createdAt(`/Customers/${customers[1]?.Id}`)
            : problem(400, 'One or more validation errors occurred.', {
                Errors: { '$.Number': ['The Number field is required.'] },
              }),
        getCustomer: pick(customers),
        updateCustomer: () => replyJson({ Success: true, Data: null }),
        deleteCustomer: () => problem(409, 'The customer has open collections'),
        listMandates: (asked) =>
          paginate([mandate, null, { ...mandate, Id: 'x2', Customer: null, SchemeData: null }], asked),
        getMandate: pick([mandate]),
        createMerchant: () => problem(403, 'Forbidden'),
        getMerchant: () => wrap({ Name: 'Foreningen ApS', VatNumber: 'DK12345678', Agreements: [agreement] }),
        createAgreement: () => createdAt(`/Merchants/agreements/${agreement.Id}`),
        getAgreement: pick([agreement]),
        deleteAgreement: () => replyJson(true),
        listWebhooks: () =>
          replyJson({ Subscriptions: hooks.map((Url, Id) => ({ Id, Url, CreatedOn: '2026-11-01T00:00:00' })) }),
        subscribeWebhook: () => replyJson({ Success: true }),
        unsubscribeWebhook: () => replyJson({ Success: true }),
        listPayments: (asked) => paginate(payments.map(toRecord), asked),
        cancelPayment: ({ params }) => {
          const payment = payments.find(({ id }) => id === params.paymentId)
          if (!payment) return missing
          if (payment.status !== 'pending')
            return problem(409, 'Conflict', { Detail: 'The collection was sent to the bank.' })
          payment.status = 'cancelled'
          return replyJson({ Success: true, Message: 'Accepted' })
        },
      },
      request,
      BASE_PATH,
    )
    return answer ?? missing
  })
  const settings = {
    UPSTREAM_URL: `${service.url}${BASE_PATH}`,
    UPSTREAM_AUTH: 'bearer',
    UPSTREAM_TOKEN: token,
    UPSTREAM_AMOUNTS: 'major',
    UPSTREAM_CANCELLED: 'Annulled',
  }
  return { service, settings, payments }
}
