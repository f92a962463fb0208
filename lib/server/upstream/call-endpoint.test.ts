import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppError } from '../runtime/app-error'
import { type CallableEndpointId, type EndpointInput, callEndpoint } from './call-endpoint'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { makeSession } from '../testing/store-fixture'

const admin = makeSession('admin')
const id = '0b8f8a2e-4a53-4c7e-9f0e-3f2f6a1c5d10'

let script: Script
let service: FaultService

beforeAll(async () => {
  service = await startFaultService(() => script)
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = 'a-token-for-tests'
})
beforeEach(() => {
  service.requests.length = 0
  script = {}
})
afterAll(() => service.close())

async function fail(endpointId: CallableEndpointId, input?: EndpointInput): Promise<AppError> {
  return callEndpoint(admin, endpointId, input).then(
    () => Promise.reject(new Error('it was done')),
    (error: AppError) => error,
  )
}

const json = (value: unknown, status = 200): Script => ({ status, body: JSON.stringify(value) })

describe('who may', () => {
  it.each([
    ['viewer', 'createCustomer'],
    ['support', 'deleteAgreement'],
    ['support', 'subscribeWebhook'],
    ['nobody', 'listPayments'],
  ] as const)('refuses a %s who asks for %s, and nothing is sent', async (role, endpointId) => {
    const session = { ...makeSession('viewer'), role: role as 'viewer' }
    await expect(callEndpoint(session, endpointId, { params: { agreementId: id } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(service.requests).toEqual([])
  })

  it('refuses the cancellation, whose only way is the ledger', async () => {
    const endpointId = 'cancelPayment' as CallableEndpointId
    await expect(
      callEndpoint(admin, endpointId, { params: { paymentId: id }, body: { text: 'x' } }),
    ).rejects.toMatchObject({
      code: 'internal',
    })
    expect(service.requests).toEqual([])
  })
})

describe('what is asked', () => {
  it.each<[CallableEndpointId, EndpointInput, Record<string, string[]>]>([
    ['getCustomer', { params: { customerIdOrHandle: '..' } }, { customerIdOrHandle: ['must not be “.” or “..”'] }],
    ['getCustomer', {}, { customerIdOrHandle: ['is required'] }],
    [
      'deleteCustomer',
      { params: { customerId: 'mandates' } },
      { customerId: ['is a reserved word in paths: use the id instead'] },
    ],
    ['listCustomers', { query: { limit: '101', top: '1' } }, { limit: ['must be at most 100'], top: ['is unknown'] }],
    [
      'createCustomer',
      { body: { number: 7, role: 'admin' } },
      { name: ['is required'], number: ['must be a string'], role: ['is unknown'] },
    ],
    ['createAgreement', { body: { scheme: ' ' } }, { scheme: ['must not be empty'] }],
    [
      'createMerchant',
      { body: { name: 'x', metaData: { a: { constructor: 1 } } } },
      { metaData: ['must not have a key named constructor'] },
    ],
    ['createMerchant', { body: [] }, { '': ['must be an object'] }],
    ['subscribeWebhook', {}, { webhookUrl: ['is required'] }],
  ])('is parsed strictly: %s %j', async (endpointId, input, errors) => {
    expect(await fail(endpointId, input)).toMatchObject({ code: 'bad-request', evidence: { errors } })
    expect(service.requests).toEqual([])
  })

  it.each<[CallableEndpointId, EndpointInput]>([
    ['getMerchant', { query: { limit: '1' } }],
    ['getCustomer', { params: { customerIdOrHandle: 'x' }, body: {} }],
    ['deleteCustomer', { params: { customerId: id }, body: { text: 'x' } }],
  ])('must not hold what the endpoint does not take: %s', async (endpointId, input) => {
    expect((await fail(endpointId, input)).code).toBe('bad-request')
    expect(service.requests).toEqual([])
  })

  it('is sent as the contract understood it', async () => {
    script = json({ results: [], hasMore: false })
    await callEndpoint(admin, 'listPayments', { query: { filter: "status eq 'Pending'", limit: '5' } })
    await callEndpoint(admin, 'updateCustomer', { params: { customerIdOrHandle: 'a b' }, body: { city: 'Århus' } })
    expect(service.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/Payments?filter=status+eq+%27Pending%27&limit=5', ''],
      ['PUT', '/Customers/a%20b', '{"city":"Århus"}'],
    ])
  })
})

describe('what is answered', () => {
  it.each([
    [400, 'upstream-refused', 422],
    [401, 'upstream-credential', 502],
    [403, 'upstream-forbidden', 403],
    [404, 'not-found', 404],
    [407, 'upstream-credential', 502],
    [408, 'upstream-timeout', 504],
    // Of a read: it may pass.
    [409, 'upstream-error', 502],
    [410, 'not-found', 404],
    [412, 'upstream-refused', 422],
    [415, 'upstream-refused', 422],
    [418, 'upstream-refused', 422],
    [422, 'upstream-refused', 422],
    [423, 'upstream-error', 502],
    [425, 'upstream-error', 502],
    [429, 'upstream-slow-down', 429],
    [499, 'upstream-error', 502],
    [500, 'upstream-error', 502],
    [503, 'upstream-error', 502],
    [599, 'upstream-error', 502],
  ] as const)('with %i is %s, for us %i, and the status of the service goes along', async (status, code, ours) => {
    script = json({ status: 200 }, status)
    expect(await fail('getMerchant')).toMatchObject({
      code,
      status: ours,
      evidence: { upstream: { status }, written: true },
    })
  })

  it.each([
    ['500 without a body (UP-11)', { status: 500, body: '', headers: {} }, 'upstream-error'],
    [
      '500 in HTML (UP-12)',
      { status: 500, body: '<html><script>alert(1)</script>', headers: { 'content-type': 'text/html' } },
      'upstream-error',
    ],
    ['500 in broken JSON (UP-13)', { status: 500, body: '{"title":"x' }, 'upstream-error'],
    ['400 in broken JSON', { status: 400, body: '{"title":"x' }, 'upstream-refused'],
    ['304', { status: 304, headers: {} }, 'upstream-bad-reply'],
    ['204 to a list', { status: 204, headers: {} }, 'upstream-bad-reply'],
    ['200 without a body to a list', { body: '', headers: {} }, 'upstream-bad-reply'],
    ['a bare array to a list (UP-21)', { body: '[]' }, 'upstream-bad-reply'],
    ['results null to a list (UP-21)', { body: '{"results":null,"hasMore":false}' }, 'upstream-bad-reply'],
    ['text to a list', { body: 'fine', headers: { 'content-type': 'text/plain' } }, 'upstream-bad-reply'],
  ])('as %s is a failure, never an empty list', async (_, reply, code) => {
    script = reply
    const failure = await fail('listPayments')
    expect(failure.code).toBe(code)
    expect(JSON.stringify(failure.evidence)).not.toMatch(/script|title/u)
  })

  it('is a record whose missing, null and odd fields are null (UP-18, UP-20)', async () => {
    const fields = ['id', 'status', 'amount', 'currency', 'test', 'customer', 'mandate', 'scheduleDate', 'reference']
    const odd = fc.constantFrom(undefined, null, '', 'Zork', 7, true, [], {}, { id: null })
    const types: Record<string, string[]> = {
      amount: ['number', 'string'],
      test: ['boolean'],
      customer: ['object'],
      mandate: ['object'],
    }
    const isSound = (field: string, value: unknown) =>
      value === null || ((types[field] ?? ['string']).includes(typeof value) && !Array.isArray(value))
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...fields), odd), async (payment) => {
        script = json({ results: [payment, { id: 'other', status: 'Pending' }], hasMore: false })
        const { results } = await callEndpoint(admin, 'listPayments')
        expect(results).toHaveLength(2)
        expect(results[1]).toMatchObject({
          id: 'other',
          status: 'Pending',
          amount: null,
          customer: null,
          mandate: null,
        })
        expect(fields.filter((field) => !isSound(field, results[0]?.[field]))).toEqual([])
        const isText = typeof payment.status === 'string'
        expect(isText && results[0]?.status !== payment.status).toBe(false)
      }),
      { numRuns: 100 },
    )
  })

  it('keeps fields that nobody documented (UP-19)', async () => {
    script = json({ results: [{ id: 'a', settledBy: { batch: 7 } }], hasMore: false })
    const { results } = await callEndpoint(admin, 'listPayments')
    expect(results[0]).toMatchObject({ settledBy: { batch: 7 } })
  })

  it('holds no credential, even if the service repeats it', async () => {
    const encoded = Buffer.from('a-token-for-tests:').toString('base64')
    script = json({ token: 'a-token-for-tests', seen: `Basic ${encoded}`, name: 'Merchant' })
    const said = JSON.stringify(await callEndpoint(admin, 'getMerchant'))
    expect(said).toContain('Merchant')
    expect(said).not.toContain('a-token-for-tests')
    expect(said).not.toContain(encoded)
  })

  it('to the status is plain text', async () => {
    script = { body: 'Running', headers: { 'content-type': 'text/plain' } }
    expect(await callEndpoint(admin, 'getStatus')).toBe('Running')
  })

  it.each([
    [json({ id: 'new' }, 201), { status: 201, reply: { id: 'new' } }],
    [
      { status: 204, headers: {} },
      { status: 204, reply: null },
    ],
    [
      { status: 200, body: 'OK', headers: { 'content-type': 'text/plain' } },
      { status: 200, reply: 'OK' },
    ],
  ])('to a write is its status and what was said: %j', async (reply, done) => {
    script = reply
    expect(await callEndpoint(admin, 'createCustomer', { body: { name: 'x' } })).toEqual(done)
  })

  it.each<[string, Script]>([
    ['in HTML', { status: 201, body: '<p>Created', headers: { 'content-type': 'text/html' } }],
    ['cut short', { status: 201, body: JSON.stringify({ id: 'x'.repeat(500) }), resetAfterBytes: 100 }],
  ])('to a write with 2xx is success, even %s: telling of a failure would invite a second one', async (_, reply) => {
    script = reply
    expect(await callEndpoint(admin, 'createCustomer', { body: { name: 'x' } })).toEqual({ status: 201, reply: null })
    expect(service.requests).toHaveLength(1)
  })
})
