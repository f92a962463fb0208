import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClock } from '../simulation/clock'
import { startReceiver } from '../testing/webhook-receiver'
import { at, items, startTestService, type TestService, until } from '../testing/test-service'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ seedPayments: 100 })
})
afterAll(() => service.close())

const input = {
  scheme: 'nets-bs',
  schemeData: { cvrNumber: '12345678', nested: { list: [1, null, 'æ'] } },
  test: true,
  dataSourceHandle: 'erp',
}

test('an agreement is created Pending, read by id and handle, and stands in the merchant record', async () => {
  const made = await service.call('POST', '/Merchants/agreements', { body: input })
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({ ...input, status: 'Pending', handle: expect.stringMatching(/^am_/u) })
  for (const path of [
    String(made.headers.get('location')),
    `/Merchants/agreements/${String(at(made.json, 'handle'))}`,
  ]) {
    expect((await service.call('GET', path)).json).toEqual(made.json)
  }
  const merchant = await service.call('GET', '/Merchants')
  expect(JSON.stringify(at(merchant.json, 'agreements'))).toContain(String(at(made.json, 'id')))
})

test.each([
  {},
  { scheme: '' },
  { scheme: 'x', test: 'yes' },
  { scheme: 'x', schemeData: [] },
  { scheme: 'x', schemeData: { text: '\0' } },
])('an agreement of %j is refused', async (body) => {
  expect((await service.call('POST', '/Merchants/agreements', { body })).status).toBe(400)
})

test('an agreement is deleted by id alone, once, and not while payments are open on it', async () => {
  const made = await service.call('POST', '/Merchants/agreements', { body: { scheme: 'nets-ls' } })
  const [id, handle] = [String(at(made.json, 'id')), String(at(made.json, 'handle'))]
  expect((await service.call('DELETE', `/Merchants/agreements/${handle}`)).status).toBe(400)
  expect((await service.call('DELETE', `/Merchants/agreements/${id}`)).status).toBe(204)
  expect((await service.call('DELETE', `/Merchants/agreements/${id}`)).status).toBe(404)
  expect((await service.call('DELETE', `/Merchants/agreements/${randomUUID()}`)).status).toBe(404)
  const agreements = at((await service.call('GET', '/Merchants')).json, 'agreements')
  const statuses: number[] = []
  for (const one of Array.isArray(agreements) ? agreements : []) {
    if (at(one, 'scheme') === 'nets-bs' && at(one, 'test') === false) {
      statuses.push((await service.call('DELETE', `/Merchants/agreements/${String(at(one, 'id'))}`)).status)
    }
  }
  expect(statuses).toEqual([409])
})

test('an event of an agreement leaves out what would make it large', async () => {
  const receiver = await startReceiver()
  const clock = makeClock({ speed: 0 })
  const own = await startTestService({ clock, allowedCallbacks: [receiver.host] })
  await own.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl: receiver.address('/hooks') } })
  const make = (scheme: string, text: string) =>
    own.call('POST', '/Merchants/agreements', { body: { scheme, schemeData: { text } } })
  await make('small', 'æ')
  const large = await make('large', 'æ'.repeat(100_000))
  clock.advance(60_000)
  const told = await until('the agreement to be told', async () => {
    const bodies = receiver.received.map(({ body }) => body).filter((body) => /"scheme":"(?:small|large)"/u.test(body))
    return bodies.length === 2 ? bodies.toSorted((one, other) => one.length - other.length) : undefined
  })
  expect(
    told.map((body) => [at(JSON.parse(body), 'data', 'scheme'), at(JSON.parse(body), 'data', 'schemeData')]),
  ).toEqual([
    ['large', undefined],
    ['small', { text: 'æ' }],
  ])
  const { json } = await own.call('GET', String(large.headers.get('location')))
  expect(at(json, 'schemeData')).toEqual({ text: 'æ'.repeat(100_000) })
  await own.close()
  await receiver.close()
})

test('the mandates in force of a deleted agreement are cancelled, each with its event', async () => {
  const empty = await startTestService({
    clock: makeClock({ speed: 0 }),
    controlPort: 0,
    allowedCallbacks: ['127.0.0.1:9'],
  })
  await empty.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl: 'http://127.0.0.1:9/hooks' } })
  const filter = "scheme eq 'nets-bs' and (status eq 'Active' or status eq 'Created')"
  const before = await empty.walk('/Customers/mandates', { filter })
  const agreements = at((await empty.call('GET', '/Merchants')).json, 'agreements')
  for (const one of Array.isArray(agreements) ? agreements : []) {
    if (at(one, 'scheme') === 'nets-bs') await empty.call('DELETE', `/Merchants/agreements/${String(at(one, 'id'))}`)
  }
  expect(before.length).toBeGreaterThan(0)
  expect(await empty.walk('/Customers/mandates', { filter })).toEqual([])
  for (const row of before) {
    const { json } = await empty.call('GET', `/Customers/mandates/${String(at(row, 'id'))}`)
    expect(at(json, 'status')).toBe('Cancelled')
  }
  const told: unknown = await (await fetch(`${empty.controlUrl}/deliveries`)).json()
  expect(items({ results: at(told, 'deliveries') })).toHaveLength(before.length)
  await empty.close()
})
