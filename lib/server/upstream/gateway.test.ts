import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Role } from '@/lib/api-contract/permission'
import { gateway, serviceHandler } from './gateway'
import { openRoute } from '../http/route-handler'
import type { CallableEndpointId } from './call-endpoint'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { makeSession } from '../testing/store-fixture'

const origin = 'http://127.0.0.1:3000'
const own = { origin, 'x-debitdesk': '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
// The context Next passes to a route without parameters.
const empty = { params: Promise.resolve(undefined) }

let script: Script
let service: FaultService
let written: string[]

beforeAll(async () => {
  service = await startFaultService(() => script)
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
  process.env.NEXTAUTH_URL = origin
})
beforeEach(() => {
  service.requests.length = 0
  script = { body: '{"results":[],"hasMore":false}' }
  written = []
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.close())

type Asked = { role?: Role | null; params?: Record<string, string>; path?: string; init?: RequestInit }

async function ask(id: CallableEndpointId, { role = 'admin', params, path = '/x', init = {} }: Asked = {}) {
  const handle = serviceHandler(id, async () => role && makeSession(role))
  return handle(new Request(`${origin}/api/service${path}`, init), { params: Promise.resolve(params) })
}

const lines = () => written.map((line): unknown => JSON.parse(line))

describe('a reply to the browser', () => {
  it.each([
    'application/json',
    'text/plain',
    'text/json',
    'APPLICATION/JSON; charset=utf-8',
    'application/problem+json',
    '',
  ])('is application/json in UTF-8, whatever the service called it: %s (UP-14)', async (type) => {
    script = { body: '{"results":[{"id":"æ"}],"hasMore":false}', headers: type ? { 'content-type': type } : {} }
    const response = await ask('listCustomers')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toMatchObject({ results: [{ id: 'æ' }], continuation: { kind: 'end' } })
  })

  it.each([
    ['success', 200, 200],
    ['refusal', 403, 403],
    ['failure', 500, 502],
  ])('carries our own headers and none of the service: %s (UP-33, BF-09)', async (_, status, ours) => {
    script = {
      status,
      body: '{"results":[],"hasMore":false}',
      headers: {
        'content-type': 'application/json',
        'set-cookie': ['a=b', 'c=d'],
        location: 'https://evil.example',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        server: 'Kestrel',
        'clear-site-data': '"*"',
        refresh: '0; url=https://evil.example',
        link: '<https://evil.example>; rel=preload',
        'content-disposition': 'attachment; filename=x.html',
        'cache-control': 'public, max-age=3600',
        etag: '"1"',
        'x-powered-by': 'x',
      },
    }
    const response = await ask('listCustomers')
    expect(response.status).toBe(ours)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'private, no-store',
      'content-type': status === 200 ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8',
      traceparent: expect.stringMatching(/^00-/u),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/u),
    })
  })

  it('names one incident everywhere: reply, service and log', async () => {
    script = { status: 500 }
    const response = await ask('listCustomers')
    const id = response.headers.get('x-request-id')
    expect(await response.json()).toMatchObject({
      instance: id,
      type: 'https://debitdesk.example/problems/upstream-error',
      status: 502,
    })
    expect(service.requests[0]?.headers.traceparent).toContain(id?.replaceAll('-', ''))
    expect(lines()).toMatchObject([{ event: 'failed', code: 'upstream-error', requestId: id, upstream: 500 }])
  })

  it('goes on with the trace of who asks, under a span and an id of its own (OB-01)', async () => {
    script = { status: 500 }
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const response = await ask('listCustomers', {
      init: { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-00` } },
    })
    const [told, sent] = [response.headers.get('traceparent'), service.requests[0]?.headers.traceparent]
    for (const one of [told, sent])
      expect(one).toMatch(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-00$`, 'u'))
    expect(lines()).toMatchObject([{ traceId: trace, requestId: response.headers.get('x-request-id') }])
    expect(response.headers.get('x-request-id')).not.toBe(trace)
  })

  it.each([
    'nonsense',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-4BF92F3577B34DA6A3CE929D0E0E4736-00F067AA0BA902B7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ])('begins a trace of its own where that is not sound: %s (OB-01)', async (traceparent) => {
    const response = await ask('listCustomers', { init: { headers: { traceparent, tracestate: 'x'.repeat(600) } } })
    expect(response.status).toBe(200)
    const id = response.headers.get('x-request-id')?.replaceAll('-', '')
    expect(response.headers.get('traceparent')).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`, 'u'))
    expect(service.requests[0]?.headers).not.toHaveProperty('tracestate')
  })

  it('tells the seconds to wait', async () => {
    script = { status: 429, headers: { 'retry-after': '7' } }
    const response = await ask('listCustomers')
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await response.json()).toMatchObject({ retryAfter: 7 })
  })
})

describe('a request of the browser', () => {
  it('has none of its headers sent on (BF-04)', async () => {
    const hostile = {
      authorization: 'Bearer mine',
      cookie: 'debitdesk.session=secret',
      'x-api-key': 'mine',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.example',
      'x-user-id': '1',
      range: 'bytes=0-1',
      'if-none-match': '"1"',
      baggage: 'a=b',
      tracestate: 'a=1111',
      'user-agent': 'evil',
      accept: 'text/html',
      'idempotency-key': 'mine',
    }
    await ask('listCustomers', { init: { headers: hostile } })
    const sent = JSON.stringify(service.requests[0]?.rawHeaders)
    expect(sent).not.toMatch(/mine|secret|10\.0\.0\.1|evil|x-user-id|bytes|baggage|1111|text\/html/u)
  })

  it.each([
    ['getCustomer', { customerIdOrHandle: '..' }],
    ['getCustomer', { customerIdOrHandle: '../Merchants' }],
    ['getCustomer', { customerIdOrHandle: '%2e%2e' }],
    ['getMandate', { mandateIdOrHandle: 'a\0' }],
    ['deleteCustomer', { customerIdOrHandle: 'agreements' }],
    ['getAgreement', {}],
  ] as const)(
    'with a path parameter that leaves its template is 400 and goes nowhere: %s %j (BF-01)',
    async (id, params) => {
      const response = await ask(id, {
        params: { ...params },
        init: id.startsWith('delete') ? { method: 'DELETE', headers: own } : {},
      })
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toContain('problem+json')
      expect(service.requests).toEqual([])
    },
  )

  it('names its parameter as the folder does, the service is called as the endpoint does', async () => {
    const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'
    const init = { method: 'DELETE', headers: { origin, 'x-debitdesk': '1' } }
    script = { status: 204, headers: {} }
    expect((await ask('deleteCustomer', { params: { customerIdOrHandle: id }, init })).status).toBe(200)
    expect(service.requests[0]).toMatchObject({ method: 'DELETE', path: `/Customers/${id}`, body: '' })
  })

  it.each(['?limit=5&limit=6', '?limit=0', '?top=1', '?__proto__=1', '?filter='])(
    'with the query %s is 400 (BF-15)',
    async (query) => {
      expect((await ask('listPayments', { path: `/Payments${query}` })).status).toBe(400)
      expect(service.requests).toEqual([])
    },
  )

  it('has its Idempotency-Key sent on with a write, if it is a UUID', async () => {
    const write = (key: string) =>
      ask('createCustomer', {
        init: { method: 'POST', headers: { ...own, 'idempotency-key': key }, body: '{"name":"x"}' },
      })
    expect((await write('0B8F8A2E-4A53-4C7E-9F0E-3F2F6A1C5D10')).status).toBe(200)
    expect(service.requests[0]?.headers['idempotency-key']).toBe('0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10')
    expect((await write('mine')).status).toBe(400)
    expect(service.requests).toHaveLength(1)
  })

  it('that is given up gives the read up as well', async () => {
    script = { hang: true }
    const browser = new AbortController()
    const reply = ask('listCustomers', { init: { signal: browser.signal } })
    await vi.waitUntil(() => service.requests.length > 0)
    browser.abort()
    expect((await reply).status).toBe(504)
  })
})

describe('a method that is not declared', () => {
  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
    '%s is 405 with Allow, a problem record and no session needed (BF-07)',
    async (method) => {
      const route = gateway('listCustomers', 'createCustomer')
      const response = await route[method](new Request(origin, { method }), empty)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(await response.json()).toMatchObject({ status: 405, title: 'This method isn’t supported here' })
    },
  )
})

describe('a denial', () => {
  it.each([
    [null, 'listCustomers', {}, 401, 'signed-out'],
    ['viewer', 'createCustomer', { method: 'POST', headers: own, body: '{"name":"x"}' }, 403, 'forbidden'],
    ['admin', 'createCustomer', { method: 'POST', body: '{"name":"x"}' }, 403, 'cross-origin'],
  ] as const)('of %s at %s is logged once, with who and where (AZ-09)', async (role, id, init, status, code) => {
    const response = await ask(id, { role, path: '/Customers?filter=secret', init })
    expect(response.status).toBe(status)
    expect(service.requests).toEqual([])
    expect(lines()).toMatchObject([
      { event: 'denied', code, path: '/api/service/Customers', requestId: response.headers.get('x-request-id') },
    ])
    expect(written.join('')).not.toContain('secret')
    expect(written.join('').includes('userId')).toBe(code === 'forbidden')
  })
})

describe('an exception that nobody foresaw (BF-18)', () => {
  it('is 500 without its message, in the reply and in the log', async () => {
    const broken = openRoute('For this test.', () => {
      throw new TypeError('insert failed, params: Jens Hansen', { cause: new Error('also secret') })
    })
    const response = await broken(new Request(`${origin}/x`), empty)
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toEqual({
      type: 'https://debitdesk.example/problems/internal',
      title: 'Something went wrong in Debitdesk',
      status: 500,
      instance: response.headers.get('x-request-id'),
    })
    expect(lines()).toMatchObject([
      { event: 'failed', code: 'internal', error: { name: 'TypeError', cause: { name: 'Error' } } },
    ])
    expect(written.join('')).not.toMatch(/Jens|secret/u)
  })
})
