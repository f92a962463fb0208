import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeClock } from '../simulation/clock'
import { at, startTestService } from '../testing/test-service'

const clock = makeClock({ start: new Date('2026-11-20T10:30:00Z'), speed: 0 })

async function readAll(
  seedPayments: number,
): Promise<{ customers: unknown[]; mandates: unknown[]; payments: unknown[] }> {
  const service = await startTestService({ seedPayments, clock })
  const read = {
    customers: await service.walk('/Customers', { orderby: 'id' }),
    mandates: await service.walk('/Customers/mandates', { orderby: 'id' }),
    payments: await service.walk('/Payments', { orderby: 'id' }),
  }
  await service.close()
  return read
}

const count = (rows: unknown[], ...path: string[]) => {
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(String(at(row, ...path)), (counts.get(String(at(row, ...path))) ?? 0) + 1)
  return counts
}

test('the same day and number give the same rows', async () => {
  const digest = async () =>
    createHash('sha256')
      .update(JSON.stringify(await readAll(60)))
      .digest('hex')
  expect(await digest()).toBe(await digest())
})

test('a start has 2,000 payments as a merchant would have them', async () => {
  const { customers, mandates, payments } = await readAll(2_000)
  expect(payments).toHaveLength(2_000)
  expect([...count(payments, 'status').keys()].toSorted()).toEqual([
    'Cancelled',
    'Chargeback',
    'Pending',
    'Rejected',
    'Scheduled',
    'Settled',
  ])
  expect(count(payments, 'status').get('Pending')).toBeGreaterThan(400)
  expect([...count(payments, 'currency').keys()].toSorted()).toEqual(['DKK', 'EUR', 'JPY', 'KWD', 'NOK', 'SEK'])
  expect(count(payments, 'currency').get('DKK')).toBeGreaterThan(1_000)
  expect(count(payments, 'test').get('true')).toBeGreaterThan(100)
  expect([...count(payments, 'mandate', 'scheme').keys()].toSorted()).toEqual([
    'mastercard-bs',
    'nets-bs',
    'nets-ls',
    'sepa-b2b',
    'sepa-core',
  ])
  expect([...count(mandates, 'status').keys()].toSorted()).toEqual(['Active', 'Cancelled', 'Created', 'Expired'])
  const names = customers.map((row) => String(at(row, 'name'))).join('\n')
  expect(names).toMatch(/ø/u)
  expect(names).toMatch(/ü/u)
  expect(names).toMatch(/\p{Script=Hebrew}/u)
  expect(names).toMatch(/\p{Extended_Pictographic}/u)
  expect(names).toMatch(/ApS$/mu)
})

test('every payment keeps the rules of its state', async () => {
  const { payments, mandates } = await readAll(500)
  const active = new Set(mandates.filter((row) => at(row, 'status') === 'Active').map((row) => at(row, 'id')))
  for (const row of payments) {
    const [status, schedule, payment, settlement] = ['status', 'scheduleDate', 'paymentDate', 'settlementDate'].map(
      (name) => at(row, name),
    )
    const dates = [schedule, payment, settlement].filter((date) => date !== null)
    expect(dates.every((date) => JSON.stringify(date).endsWith('T00:00:00.000Z"'))).toBe(true)
    expect(String(schedule) < String(payment)).toBe(true)
    expect(settlement !== null).toBe(status === 'Settled' || status === 'Chargeback')
    expect(String(at(row, 'createdAt')) <= String(at(row, 'modifiedAt'))).toBe(true)
    expect(String(at(row, 'modifiedAt')) <= '2026-11-20T10:30').toBe(true)
    expect(Number.isSafeInteger(at(row, 'amount')) && Number(at(row, 'amount')) > 0).toBe(true)
    if (status !== 'Pending') continue
    expect(String(schedule) > '2026-11-20').toBe(true)
    expect(active.has(at(row, 'mandate', 'id'))).toBe(true)
  }
})
