import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeClock } from '../simulation/clock'
import { at, startTestService, type TestService } from '../testing/test-service'

let service: TestService
let pending: string[]

beforeAll(async () => {
  service = await startTestService({
    seedPayments: 200,
    controlPort: 0,
    cancelDelay: 60_000,
    clock: makeClock({ speed: 0 }),
  })
  const rows = await service.walk('/Payments', { filter: "status eq 'Pending'" })
  pending = rows.map((row) => String(at(row, 'id')))
})
afterAll(() => service.close())
afterEach(() => control('DELETE', '/faults'))

const control = (method: string, path: string, body?: unknown) =>
  fetch(`${service.controlUrl}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

const stateOf = async (id: string) => at((await service.walk('/Payments', { filter: `id eq '${id}'` }))[0], 'status')
const take = () => pending.pop() ?? ''

describe('the control port', () => {
  test('is closed unless it is asked for', async () => {
    const without = await startTestService()
    expect(without.controlUrl).toBeNull()
    await without.close()
  })

  test('says what a scheme would say of a payment', async () => {
    const id = take()
    for (const status of ['Scheduled', 'Settled', 'Chargeback']) {
      expect((await control('POST', `/payments/${id}/state`, { status })).status).toBe(204)
      expect(await stateOf(id)).toBe(status)
    }
    expect((await control('POST', `/payments/${id}/state`, { status: 'Settled' })).status).toBe(409)
    expect((await control('POST', `/payments/${take()}/state`, { status: 'Pending' })).status).toBe(409)
    expect(
      (await control('POST', '/payments/00000000-0000-4000-8000-000000000000/state', { status: 'Settled' })).status,
    ).toBe(404)
    expect((await control('POST', `/payments/${id}/state`, { status: 'Gone' })).status).toBe(400)
  })

  test('settles a payment while a dialog is open on it', async () => {
    const id = take()
    expect((await control('POST', `/payments/${id}/state`, { status: 'Settled', delay: 100 })).status).toBe(202)
    expect(await stateOf(id)).toBe('Pending')
    await expect.poll(() => stateOf(id), { timeout: 45_000 }).toBe('Settled')
    expect((await service.call('DELETE', `/Payments/${id}`, { body: { text: 'Late' } })).status).toBe(409)
  })

  test('moves the clock, and with it what is due', async () => {
    const id = take()
    await service.call('DELETE', `/Payments/${id}`, { body: { text: 'Asked by phone' } })
    const before: unknown = await (await control('GET', '/clock')).json()
    const after: unknown = await (await control('POST', '/clock', { advance: 60_000 })).json()
    expect(Date.parse(String(at(after, 'now'))) - Date.parse(String(at(before, 'now')))).toBe(60_000)
    await expect.poll(() => stateOf(id), { timeout: 45_000 }).toBe('Cancelled')
    expect((await control('POST', '/clock', { advance: -5 })).status).toBe(400)
  })
})

describe('a fault', () => {
  test('meets as many requests as it is told, on its method and path', async () => {
    await control('POST', '/faults', {
      kind: 'too-many-requests',
      retryAfter: 7,
      times: 2,
      method: 'GET',
      path: '/Payments',
    })
    expect((await service.call('GET', '/Customers')).status).toBe(200)
    const replies = [
      await service.call('GET', '/Payments'),
      await service.call('GET', '/Payments'),
      await service.call('GET', '/Payments'),
    ]
    expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [429, '7'],
      [429, '7'],
      [200, null],
    ])
    expect(at(replies[0]?.json, 'type')).toMatch(/\/too-many-requests$/u)
  })

  test.each([
    ['too-many-requests', 429, /"status":429/u],
    ['empty-500', 500, /^$/u],
    ['html-500', 500, /<script>/u],
  ])('%s answers %i', async (kind, status, text) => {
    await control('POST', '/faults', { kind })
    const reply = await service.call('GET', '/Payments')
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([status, null])
    expect(reply.text).toMatch(text)
  })

  test.each(['truncated-json', 'reset'])('%s breaks the reply off', async (kind) => {
    await control('POST', '/faults', { kind })
    await expect(service.call('GET', '/Payments')).rejects.toThrow(/terminated|fetch failed/u)
    expect((await service.call('GET', '/Payments')).status).toBe(200)
  })

  test('slow answers late', async () => {
    await control('POST', '/faults', { kind: 'slow', delay: 300 })
    const start = Date.now()
    expect((await service.call('GET', '/Payments')).status).toBe(200)
    expect(Date.now() - start).toBeGreaterThanOrEqual(295)
  })

  test.each(['slow', 'hang'])('%s holds nothing up when the service closes', async (kind) => {
    const closing = await startTestService({ seedPayments: 1, controlPort: 0 })
    const body = JSON.stringify({ kind, delay: 600_000 })
    await fetch(`${closing.controlUrl}/faults`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    const waiting = fetch(`${closing.url}/Payments`).catch((error: unknown) => String(error))
    await expect.poll(async () => (await fetch(`${closing.controlUrl}/faults`)).text()).toBe('{"faults":[]}')
    const closed = closing.close()
    // Closing does not wait for hanging requests as it does for others.
    const timeout = new Promise((resolve) => setTimeout(resolve, 2_500, 'too late'))
    expect(await Promise.race([closed, timeout])).toBeUndefined()
    expect(await waiting).toContain('fetch failed')
  })

  test('hang answers never', async () => {
    await control('POST', '/faults', { kind: 'hang' })
    const reply = fetch(`${service.url}/`, { signal: AbortSignal.timeout(300) })
    await expect(reply).rejects.toThrow(/timeout/u)
  })

  test.each(['reset-after-accept', 'hang-after-accept'])('%s does the work and spoils the answer', async (kind) => {
    const id = take()
    await control('POST', '/faults', { kind, method: 'DELETE' })
    const headers = {
      authorization: `Basic ${btoa('a-token-of-the-test-merchant:')}`,
      'content-type': 'application/json',
    }
    const sent = fetch(`${service.url}/Payments/${id}`, {
      method: 'DELETE',
      headers,
      body: '{"text":"Lost"}',
      signal: AbortSignal.timeout(1_000),
    })
    await expect(sent).rejects.toThrow(/fetch failed|timeout/u)
    expect(service.requests.at(-1)).toMatchObject({ path: `/Payments/${id}`, status: 202, outcome: 'accepted' })
    const again = await service.call('DELETE', `/Payments/${id}`, { body: { text: 'Lost' } })
    expect([again.status, service.requests.at(-1)?.outcome]).toEqual([202, 'accepted-again'])
  })
})
