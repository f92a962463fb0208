import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, startTestService, type TestService } from './testing/test-service'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ requestsPerMinute: 5 })
})
afterAll(() => service.close())

test('a credential that asks too much is told when to come back, and others are served', async () => {
  const made = await service.call('POST', '/Merchants', { body: { name: 'Other' } })
  const token = String(at(made.json, 'token'))
  const statuses: number[] = []
  for (let index = 0; index < 4; index += 1) statuses.push((await service.call('GET', '/Merchants')).status)
  expect(statuses).toEqual([200, 200, 200, 200])
  const refused = await service.call('GET', '/Payments')
  expect(refused.status).toBe(429)
  expect(refused.json).toMatchObject({
    status: 429,
    type: expect.stringMatching(/\/too-many-requests$/u),
    instance: expect.any(String),
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await service.call('GET', '/Merchants', { token })).status).toBe(200)
  expect((await service.call('GET', '/')).status).toBe(200)
})
