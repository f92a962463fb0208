import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeClock } from '../simulation/clock'
import { at, items, startTestService, type TestService } from '../testing/test-service'

let service: TestService
let pending: string[]

beforeAll(async () => {
  service = await startTestService({ seedPayments: 100, controlPort: 0, clock: makeClock({ speed: 0 }) })
  const rows = await service.walk('/Payments', { filter: "status eq 'Pending'" })
  pending = rows.map((row) => String(at(row, 'id')))
})
afterAll(() => service.close())
afterEach(() => control('DELETE', '/triggers'))

const control = (method: string, path: string, body?: unknown) =>
  fetch(`${service.controlUrl}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

const take = () => pending.pop() ?? ''
const cancel = (id: string) => service.call('DELETE', `/Payments/${id}`, { body: { text: 'Asked by phone' } })

async function readState(id: string): Promise<unknown> {
  const reply = await service.call('GET', `/Payments?filter=${encodeURIComponent(`id eq '${id}'`)}`)
  return at(items(reply.json)[0], 'status')
}

test('settles a payment on the read after the second', async () => {
  const id = take()
  expect((await control('POST', '/triggers', { paymentId: id, status: 'Settled', upon: 'read', skip: 2 })).status).toBe(
    204,
  )
  expect([await readState(id), await readState(id), await readState(id)]).toEqual(['Pending', 'Pending', 'Settled'])
  expect(await (await control('GET', '/triggers')).json()).toEqual({ triggers: [] })
})

test('settles a payment upon its cancellation, and no other payment', async () => {
  const [id, other] = [take(), take()]
  await control('POST', '/triggers', { paymentId: id, status: 'Settled', upon: 'cancel' })
  expect((await cancel(other)).status).toBe(202)
  expect(await readState(id)).toBe('Pending')
  expect((await cancel(id)).status).toBe(409)
  expect(await readState(id)).toBe('Settled')
})

test('forgets triggers when told to, and those that cannot be', async () => {
  const id = take()
  await control('POST', '/triggers', { paymentId: id, status: 'Rejected', upon: 'read' })
  expect((await control('DELETE', '/triggers')).status).toBe(204)
  expect(await readState(id)).toBe('Pending')
  await control('POST', '/triggers', { paymentId: id, status: 'Chargeback', upon: 'read' })
  expect(await readState(id)).toBe('Pending')
  expect(await (await control('GET', '/triggers')).json()).toEqual({ triggers: [] })
})

test.each([
  {},
  { paymentId: 'x', status: 'Settled', upon: 'read' },
  { paymentId: '00000000-0000-4000-8000-000000000000', status: 'Gone', upon: 'read' },
  { paymentId: '00000000-0000-4000-8000-000000000000', status: 'Settled', upon: 'whim' },
])('refuses %j', async (input) => {
  expect((await control('POST', '/triggers', input)).status).toBe(400)
})
