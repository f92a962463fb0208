import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../testing/service-process'
import { startReceiver } from '../testing/webhook-receiver'
import { at, items, until } from '../testing/test-service'

let folder: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let service: ServiceProcess

const start = () => startServiceProcess({ DATA_DIR: folder, SEED_PAYMENTS: '150', SERVICE_CALLBACKS: receiver.host })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crash-'))
  receiver = await startReceiver()
  // Slow replies, so that deliveries are in flight when the process is killed.
  receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 30)
  service = await start()
})
afterAll(async () => {
  await service.kill()
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

const deliveredIds = () => new Set(receiver.received.map(({ body }) => String(at(JSON.parse(body), 'data', 'id'))))

test('a service that is killed while it delivers loses no event', { timeout: 180_000 }, async () => {
  await service.call('POST', '/Merchants/webhooks/subscribe', { webhookUrl: receiver.address('/hooks') })
  const list: unknown = await (await service.call('GET', "/Payments?limit=100&filter=status eq 'Pending'")).json()
  const acknowledged: string[] = []
  for (const id of items(list).map((row) => String(at(row, 'id')))) {
    const { status } = await service.control('POST', `/payments/${id}/state`, { status: 'Settled' })
    if (status === 204) acknowledged.push(id)
  }
  await until('the first callbacks', async () => (deliveredIds().size >= 5 ? true : undefined))
  await service.kill()
  expect(acknowledged.length).toBeGreaterThan(20)
  service = await start()
  // Deliveries in flight are repeated once their worker's claim has expired.
  await service.control('POST', '/clock', { advance: 120_000 })
  await until(
    'every callback',
    async () => (acknowledged.every((id) => deliveredIds().has(id)) ? true : undefined),
    100_000,
  )
  const events = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  expect(events.size).toBe(acknowledged.length)
})
