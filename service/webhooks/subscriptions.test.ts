import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, startTestService, type TestService } from '../testing/test-service'

let service: TestService
/** Hosts that the resolver places inside. */
const inside = new Set(['inside.example.com'])

beforeAll(async () => {
  const resolve = async (host: string) => (inside.has(host) ? ['93.184.216.34', '10.1.2.3'] : ['93.184.216.34'])
  service = await startTestService({ resolve })
})
afterAll(() => service.close())

const subscribe = (webhookUrl: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl }, headers })
const unsubscribe = (webhookUrl: unknown) =>
  service.call('POST', '/Merchants/webhooks/unsubscribe', { body: { webhookUrl } })

async function addresses(): Promise<unknown[]> {
  const { json } = await service.call('GET', '/Merchants/webhooks')
  return Array.isArray(json) ? json.map((one) => at(one, 'webhookUrl')) : []
}

test('subscribing and unsubscribing take effect at once and may be repeated', async () => {
  const [one, other] = ['https://example.com/hooks', 'https://example.com/hooks?tenant=2']
  const statuses = [(await subscribe(one)).status, (await subscribe(one)).status, (await subscribe(other)).status]
  expect(statuses).toEqual([201, 200, 201])
  expect(await addresses()).toEqual([one, other])
  expect((await subscribe('HTTPS://EXAMPLE.com:443/hooks')).status).toBe(200)
  expect([(await unsubscribe(one)).status, (await unsubscribe(one)).status]).toEqual([204, 204])
  expect(await addresses()).toEqual([other])
})

test('the signing secret is told once, to the first subscription alone', async () => {
  const key = { 'idempotency-key': 'subscribe-once' }
  const [made, replayed, again] = [
    await subscribe('https://example.com/secret', key),
    await subscribe('https://example.com/secret', key),
    await subscribe('https://example.com/secret'),
  ]
  expect(at(made.json, 'secret')).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u)
  expect([replayed.status, again.status]).toEqual([208, 200])
  const list = await service.call('GET', '/Merchants/webhooks')
  expect(`${replayed.text}${again.text}${list.text}${JSON.stringify(service.requests)}`).not.toContain('whsec_')
})

test('a subscription is answered again by its key, also once its address could not be subscribed any more', async () => {
  const [address, key] = ['https://moving.example.com/hooks', { 'idempotency-key': 'moving' }]
  inside.add('moving.example.com')
  expect((await subscribe(address, key)).status).toBe(400)
  inside.delete('moving.example.com')
  expect((await subscribe(address, key)).status).toBe(201)
  inside.add('moving.example.com')
  const again = await subscribe(address, key)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([208, 'true'])
  expect((await subscribe(`${address}/2`, key)).status).toBe(422)
  expect((await subscribe(address)).status).toBe(400)
  await unsubscribe(address)
})

test('`Prefer: new-secret` is part of the request that a key stands for', async () => {
  const [address, key] = ['https://example.com/renewed', { 'idempotency-key': 'renewed' }]
  expect((await subscribe(address, key)).status).toBe(201)
  expect((await subscribe(address, { ...key, prefer: 'new-secret' })).status).toBe(422)
  const renewal = { 'idempotency-key': 'renewal', prefer: 'respond-async, new-secret' }
  const made = await subscribe(address, renewal)
  expect([made.status, at(made.json, 'secret')]).toEqual([200, expect.stringMatching(/^whsec_/u)])
  expect((await subscribe(address, renewal)).status).toBe(208)
  await unsubscribe(address)
})

test('an address outside ASCII is measured percent-encoded, and unsubscribed as it is listed', async () => {
  const fits = `https://example.com/${'å'.repeat(338)}`
  expect(new URL(fits).href).toHaveLength(2_048)
  expect((await subscribe(fits)).status).toBe(201)
  const refused = await subscribe(`${fits}/`)
  expect([refused.status, at(refused.json, 'errors', 'webhookUrl')]).toEqual([
    400,
    ['must be at most 2048 characters when percent-encoded'],
  ])
  expect((await subscribe(`https://example.com/${'漢'.repeat(1_500)}`)).status).toBe(400)
  const listed = (await addresses()).find((one) => String(one).length === 2_048)
  expect((await unsubscribe(listed)).status).toBe(204)
  expect(await addresses()).not.toContain(listed)
  // Earlier services kept longer ones.
  expect((await unsubscribe(`${String(listed)}${'/x'.repeat(500)}`)).status).toBe(204)
})

test.each([
  '',
  'nonsense',
  'http://example.com/',
  'https://user:secret@example.com/',
  'https://example.com/#part',
  'https://10.0.0.1/',
  'https://inside.example.com/',
  7,
  `https://example.com/${'x'.repeat(2048)}`,
])('the address %j is refused', async (address) => {
  const reply = await subscribe(address)
  expect(reply.status).toBe(400)
  expect(at(reply.json, 'errors', 'webhookUrl')).toBeDefined()
  expect(reply.text).not.toContain('10.1.2.3')
})

test('a merchant has at most 50 subscriptions', async () => {
  const replies: number[] = []
  for (let index = 0; index < 52; index += 1)
    replies.push((await subscribe(`https://example.com/many/${index}`)).status)
  expect(replies.at(-1)).toBe(409)
  expect(await addresses()).toHaveLength(50)
})
