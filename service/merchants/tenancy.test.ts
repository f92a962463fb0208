import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, items, startTestService, type TestService } from '../testing/test-service'

let service: TestService
/** The token of a second merchant. */
let token: string
let theirs: { customer: string; mandate: string; agreement: string; payment: string; webhook: string }

const first = async (path: string) => String(at(items((await service.call('GET', path)).json)[0], 'id'))

beforeAll(async () => {
  service = await startTestService({ seedPayments: 100 })
  const made = await service.call('POST', '/Merchants', {
    body: { name: 'Second', isvHandle: 'isv-1', metaData: { plan: { seats: 3 } } },
  })
  token = String(at(made.json, 'token'))
  await service.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl: 'https://example.com/hooks' } })
  theirs = {
    customer: await first('/Customers'),
    mandate: await first('/Customers/mandates'),
    agreement: String(at((await service.call('GET', '/Merchants')).json, 'agreements', 0, 'id')),
    payment: await first("/Payments?filter=status eq 'Pending'"),
    webhook: 'https://example.com/hooks',
  }
})
afterAll(() => service.close())

describe('a new merchant', () => {
  test('reads its own record, in which the token no longer stands', async () => {
    const reply = await service.call('GET', '/Merchants', { token })
    expect(reply.json).toEqual({
      id: expect.any(String),
      handle: expect.stringMatching(/^me_/u),
      name: 'Second',
      isvHandle: 'isv-1',
      metaData: { plan: { seats: 3 } },
      createdAt: expect.any(String),
      modifiedAt: expect.any(String),
      agreements: [],
    })
  })

  test('is made by an ISV credential alone', async () => {
    const reply = await service.call('POST', '/Merchants', { token, body: { name: 'Third' } })
    expect([reply.status, at(reply.json, 'type')]).toEqual([403, expect.stringMatching(/\/forbidden$/u)])
  })

  test('gets its token once: a replay has none', async () => {
    const sent = { body: { name: 'Fourth' }, headers: { 'idempotency-key': 'make-fourth' } }
    const made = await service.call('POST', '/Merchants', sent)
    const replay = await service.call('POST', '/Merchants', sent)
    expect([made.status, replay.status]).toEqual([201, 208])
    expect([at(made.json, 'token'), at(replay.json, 'token')]).toEqual([expect.any(String), undefined])
    expect(at(replay.json, 'id')).toBe(at(made.json, 'id'))
  })

  test('sees nothing of another in any list', async () => {
    for (const path of ['/Customers', '/Customers/mandates', '/Payments']) {
      const reply = await service.call('GET', `${path}?limit=100`, { token })
      expect(reply.json).toEqual({ results: [], nextOffset: null, hasMore: false })
    }
    expect((await service.call('GET', '/Merchants/webhooks', { token })).json).toEqual([])
    const byId = await service.call('GET', `/Payments?filter=id eq '${theirs.payment}'`, { token })
    expect(items(byId.json)).toEqual([])
  })

  test('gets for what is another merchant’s the answer for what does not exist', async () => {
    const attempts: [string, string, unknown][] = [
      ['GET', `/Customers/${theirs.customer}`, undefined],
      ['PUT', `/Customers/${theirs.customer}`, { name: 'Taken over' }],
      ['DELETE', `/Customers/${theirs.customer}`, undefined],
      ['GET', `/Customers/mandates/${theirs.mandate}`, undefined],
      ['GET', `/Merchants/agreements/${theirs.agreement}`, undefined],
      ['DELETE', `/Merchants/agreements/${theirs.agreement}`, undefined],
      ['DELETE', `/Payments/${theirs.payment}`, { text: 'Not mine' }],
    ]
    for (const [method, path, body] of attempts) {
      const foreign = await service.call(method, path, { token, body })
      const absent = await service.call(
        method,
        path.replace(/[\da-f-]{36}$/u, '00000000-0000-4000-8000-000000000000'),
        { token, body },
      )
      expect([path, foreign.status]).toEqual([path, 404])
      expect([at(foreign.json, 'title'), at(foreign.json, 'detail')]).toEqual([
        at(absent.json, 'title'),
        at(absent.json, 'detail'),
      ])
    }
    await service.call('POST', '/Merchants/webhooks/unsubscribe', { token, body: { webhookUrl: theirs.webhook } })
    expect(items({ results: (await service.call('GET', '/Merchants/webhooks')).json })).toHaveLength(1)
  })

  test('cannot continue another’s list, nor meet its keys', async () => {
    const after = String(at((await service.call('GET', '/Customers?limit=1')).json, 'nextOffset'))
    expect((await service.call('GET', `/Customers?after=${after}`, { token })).status).toBe(400)
    const headers = { 'idempotency-key': 'shared-key' }
    expect((await service.call('POST', '/Customers', { body: { name: 'Mine' }, headers })).status).toBe(201)
    expect((await service.call('POST', '/Customers', { body: { name: 'Theirs' }, headers, token })).status).toBe(201)
  })

  test.each([
    '{"name":"X","metaData":{"__proto__":{"a":1}}}',
    '{"name":"X","metaData":{"constructor":{"prototype":{}}}}',
    '{"name":"X","metaData":{"\\u005f_proto__":{"a":1}}}',
    '{"name":"X","metaData":[]}',
    '{"name":"X","metaData":{"id":12345678901234567890}}',
    '{"name":"X","metaData":{"id":1,"id":2}}',
  ])('is not made of %s', async (raw) => {
    const reply = await service.call('POST', '/Merchants', { raw, headers: { 'content-type': 'application/json' } })
    expect(reply.status).toBe(400)
    expect(at({}, 'a')).toBeUndefined()
  })

  test('is told which key its free-form data must not have', async () => {
    const raw = '{"name":"X","metaData":{"list":[{"__proto__":{"a":1}}]}}'
    const reply = await service.call('POST', '/Merchants', { raw, headers: { 'content-type': 'application/json' } })
    expect(reply.status).toBe(400)
    expect(at(reply.json, 'errors')).toEqual({ metaData: ['must not have a key named __proto__'] })
  })
})
