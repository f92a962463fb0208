import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Clock, makeClock } from './clock'
import { at, startTestService, type TestService, until } from '../testing/test-service'

const day = 86_400_000
const start = new Date('2026-11-20T10:00:00Z')

let service: TestService
let clock: Clock
let before: Map<string, unknown>

const byId = (rows: unknown[]) => new Map(rows.map((row) => [String(at(row, 'id')), row]))
const read = async () => byId(await service.walk('/Payments', { orderby: 'id' }))
const moment = (row: unknown, name: string) => Date.parse(String(at(row, name)))

/** Moves the clock and waits until the service has simulated that time. */
async function live(days: number): Promise<void> {
  clock.advance(days * day)
  await until(
    'payments to move on',
    async () => {
      const late = await service.walk('/Payments', {
        filter: `status eq 'Pending' and scheduleDate lt ${clock.now().toISOString().slice(0, 10)}`,
      })
      return late.length === 0 ? true : undefined
    },
    100_000,
  )
}

beforeAll(async () => {
  clock = makeClock({ start, speed: 0 })
  service = await startTestService({ seedPayments: 240, clock, cancelDelay: 60_000 })
  before = await read()
})
afterAll(() => service.close())

describe('while the clock stands', () => {
  test('nothing happens on the day on which the database was filled', async () => {
    clock.advance(day / 3)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await read()).toEqual(before)
  })

  test('an agreement is taken up by its scheme a minute after it was made', async () => {
    const made = await service.call('POST', '/Merchants/agreements', { body: { scheme: 'nets-bs' } })
    const status = async () => at((await service.call('GET', String(made.headers.get('location')))).json, 'status')
    expect(await status()).toBe('Pending')
    clock.advance(60_000)
    await expect.poll(status, { timeout: 45_000 }).toBe('Active')
  })

  test('a cancellation accepted too late lapses: the payment is handed over', async () => {
    const [next] = await service.walk('/Payments', { filter: "status eq 'Pending'", orderby: 'scheduleDate' })
    const handOver = moment(next, 'scheduleDate') + 11 * 3_600_000
    clock.advance(handOver - clock.now().getTime() - 30_000)
    const id = String(at(next, 'id'))
    expect((await service.call('DELETE', `/Payments/${id}`, { body: { text: 'Late' } })).status).toBe(202)
    clock.advance(120_000)
    const state = async () => at((await service.walk('/Payments', { filter: `id eq '${id}'` }))[0], 'status')
    await expect.poll(state, { timeout: 45_000 }).toBe('Scheduled')
    expect((await service.call('DELETE', `/Payments/${id}`, { body: { text: 'Later' } })).status).toBe(409)
  })
})

describe('after 120 days', () => {
  let after: Map<string, unknown>
  beforeAll(async () => {
    await live(120)
    after = await read()
  }, 120_000)

  const moved = (from: string) =>
    [...before].filter(([, row]) => at(row, 'status') === from).map(([id]) => after.get(id))
  const count = (rows: unknown[], status: string) => rows.filter((row) => at(row, 'status') === status).length

  test('what was pending or scheduled has been settled, rejected or charged back', () => {
    const ended = [...moved('Pending'), ...moved('Scheduled')]
    const settled = count(ended, 'Settled')
    const [rejected, chargedBack] = [count(ended, 'Rejected'), count(ended, 'Chargeback')]
    expect(settled + rejected + chargedBack).toBe(ended.length)
    expect(settled).toBeGreaterThan(ended.length * 0.85)
    expect(rejected).toBeGreaterThan(0)
  })

  test('what had ended has stayed as it was', () => {
    const ended = [...before].filter(([, row]) =>
      ['Rejected', 'Chargeback', 'Cancelled'].includes(String(at(row, 'status'))),
    )
    expect(ended.map(([id]) => after.get(id))).toEqual(ended.map(([, row]) => row))
    expect(ended.length).toBeGreaterThan(0)
  })

  test('a settled payment has its settlement on a business day after the payment, and was changed in that hour', () => {
    const settled = moved('Pending').filter((row) => at(row, 'status') === 'Settled')
    for (const row of settled) {
      expect(moment(row, 'settlementDate')).toBeGreaterThan(moment(row, 'paymentDate'))
      expect([0, 6]).not.toContain(new Date(moment(row, 'settlementDate')).getUTCDay())
      expect(moment(row, 'modifiedAt') - moment(row, 'settlementDate')).toBeLessThanOrEqual(8 * 3_600_000)
    }
    expect(settled.length).toBeGreaterThan(0)
  })

  test('the data source has brought payments every month, on active mandates alone', async () => {
    const brought = [...after].filter(([id]) => !before.has(id)).map(([, row]) => row)
    const active = byId(await service.walk('/Customers/mandates', { filter: "status eq 'Active'" }))
    expect(brought.length).toBeGreaterThan(active.size * 3)
    expect(brought.every((row) => active.has(String(at(row, 'mandate', 'id'))))).toBe(true)
    expect(count(brought, 'Settled')).toBeGreaterThan(0)
    expect(count(brought, 'Pending')).toBeGreaterThan(0)
  })

  test('created mandates have been registered', async () => {
    expect(await service.walk('/Customers/mandates', { filter: "status eq 'Created'" })).toEqual([])
  })
})

test('a fast clock needs no hand', async () => {
  // Two days per second.
  const fast = await startTestService({
    seedPayments: 30,
    clock: makeClock({ start, speed: 2 * 86_400 }),
    cancelDelay: 1_000,
  })
  const find = async () => (await fast.walk('/Payments', { filter: 'settlementDate gt 2026-11-23' })).length
  await expect.poll(find, { timeout: 50_000 }).toBeGreaterThan(0)
  await fast.close()
})
