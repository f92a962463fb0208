import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { type ServiceProcess, startServiceProcess } from '../testing/service-process'
import { startReceiver } from '../testing/webhook-receiver'
import { at } from '../testing/test-service'
import { deliveries } from '../store/webhook-schema'

const wanted = 10_000
const kills = 8

let folder: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let service: ServiceProcess

const startProcess = () =>
  startServiceProcess({
    DATA_DIR: folder,
    SEED_PAYMENTS: '28000',
    SERVICE_CLOCK: '0',
    SERVICE_CALLBACKS: receiver.host,
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crash-long-'))
  receiver = await startReceiver()
  service = await startProcess()
}, 300_000)
afterAll(async () => {
  await service.kill()
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

const eventIds = () => new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])))

/** Whether a delivery is pending or in flight. */
async function isPending(): Promise<boolean> {
  const reply: unknown = await (await service.control('GET', '/deliveries')).json()
  return JSON.stringify(reply).includes('"state":"pending"')
}

/** Lets the claims of killed workers expire, and waits until nothing more arrives. */
async function drain(): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const before = receiver.received.length
    await pause(2_000)
    if (receiver.received.length > before) {
      quiet = 0
      continue
    }
    await service.control('POST', '/clock', { advance: 61_000 })
    quiet = (await isPending()) ? 0 : quiet + 1
  }
}

test('of 10,000 events none is lost over eight kills, and what comes twice has the same id', {
  timeout: 3_600_000,
}, async () => {
  await service.call('POST', '/Merchants/webhooks/subscribe', { webhookUrl: receiver.address('/hooks') })
  const clock: unknown = await (await service.control('GET', '/clock')).json()
  const start = Date.parse(String(at(clock, 'now')))
  // Days of collections have thousands of transitions with events. Less than a month, after which events are deleted.
  const live = (days: number) =>
    service.control('POST', '/clock', { to: new Date(start + days * 86_400_000).toISOString() })
  for (let round = 1; round <= kills; round += 1) {
    // Absolute times, because a killed service has simulated only part of the time.
    await live(round * 3.5)
    const before = receiver.received.length
    while (receiver.received.length < before + 200) await pause(20)
    await pause(Math.random() * 2_000)
    await service.kill()
    service = await startProcess()
  }
  await live(kills * 3.5)
  await drain()
  await service.stop()
  const migrationsFolder = 'service/store/migrations'
  const { db, close } = await openDatabase({ folder: join(folder, 'service'), migrationsFolder })
  const rows = await db.select({ eventId: deliveries.eventId, state: deliveries.state }).from(deliveries)
  await close()
  expect(rows.length).toBeGreaterThanOrEqual(wanted)
  expect(rows.filter(({ state }) => state !== 'delivered')).toEqual([])
  const received = eventIds()
  expect(rows.filter(({ eventId }) => !received.has(eventId))).toEqual([])
  expect(received.size).toBe(rows.length)
  const bodies = new Map<string, string>()
  for (const { headers, body } of receiver.received) {
    const id = String(headers['webhook-id'])
    expect(bodies.get(id) ?? body).toBe(body)
    bodies.set(id, body)
  }
})
