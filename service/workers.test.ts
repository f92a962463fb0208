import { expect, test } from 'vitest'
import { makeClock } from './simulation/clock'
import { startTestService } from './testing/test-service'

const day = 86_400_000

test('an Idempotency-Key is remembered for seven days', async () => {
  const clock = makeClock({ speed: 0 })
  const service = await startTestService({ clock })
  const send = async () =>
    (await service.call('POST', '/Customers', { body: { name: 'Ann' }, headers: { 'idempotency-key': 'week' } })).status
  expect(await send()).toBe(201)
  clock.advance(7 * day - 1_000)
  expect(await send()).toBe(208)
  clock.advance(2_000)
  await expect.poll(send, { timeout: 45_000 }).toBe(201)
  await service.close()
})
