import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, startTestService, type TestService } from '../testing/test-service'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const subscribe = (webhookUrl: unknown) =>
  service.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl } })
const unsubscribe = (webhookUrl: unknown) =>
  service.call('POST', '/Merchants/webhooks/unsubscribe', { body: { webhookUrl } })

async function addresses(): Promise<unknown[]> {
  const { json } = await service.call('GET', '/Merchants/webhooks')
  return Array.isArray(json) ? json.map((one) => at(one, 'webhookUrl')) : []
}

test('subscribing and unsubscribing take effect at once and may be repeated', async () => {
  const [one, other] = ['https://example.com/hooks', 'https://example.com/hooks?tenant=2']
  expect([(await subscribe(one)).status, (await subscribe(one)).status, (await subscribe(other)).status]).toEqual([
    201, 200, 201,
  ])
  expect(await addresses()).toEqual([one, other])
  expect((await subscribe('HTTPS://EXAMPLE.com:443/hooks')).status).toBe(200)
  expect([(await unsubscribe(one)).status, (await unsubscribe(one)).status]).toEqual([204, 204])
  expect(await addresses()).toEqual([other])
})

test.each([
  '',
  'nonsense',
  'ftp://example.com',
  'https://user:secret@example.com/',
  'https://example.com/#part',
  7,
  `https://example.com/${'x'.repeat(2048)}`,
])('the address %j is refused', async (address) => {
  const reply = await subscribe(address)
  expect(reply.status).toBe(400)
  expect(at(reply.json, 'errors', 'webhookUrl')).toBeDefined()
})
