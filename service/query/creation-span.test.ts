import { join } from 'node:path'
import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { findPaymentPage } from '../payments/list-payments'
import { seedDatabase } from '../seed/seed-database'
import { payments } from '../store/schema'
import { findCreationSpan } from './prefilter'

let database: OpenDatabase
let merchantId: string

beforeAll(async () => {
  database = await openDatabase({ migrationsFolder: join(import.meta.dirname, '../store/migrations') })
  merchantId = await seedDatabase(database.db, 1_500, new Date('2026-11-20T10:00:00Z'))
})
afterAll(() => database.close())

type Row = { id: string; status: string; schedule: string; payment: string }

async function walk(filter: string | undefined, orderby?: string): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  do {
    const page = await findPaymentPage(database.db, merchantId, { filter, orderby, after, limit: 100 }, 'secret')
    for (const { id, status, scheduleDate, paymentDate } of page.results)
      rows.push({ id, status, schedule: scheduleDate.toISOString(), payment: paymentDate.toISOString() })
    after = page.nextOffset ?? undefined
  } while (after !== undefined)
  return rows
}

const cases: [filter: string, holds: (row: Row) => boolean][] = [
  [
    "status eq 'Settled' and scheduleDate ge 2026-10-01 and scheduleDate lt 2026-11-01",
    ({ status, schedule }) => status === 'Settled' && schedule >= '2026-10-01' && schedule < '2026-11-01',
  ],
  ['scheduleDate gt 2026-12-01', ({ schedule }) => schedule > '2026-12-01T00:00:00.000Z'],
  ['scheduleDate le 2026-03-02', ({ schedule }) => schedule <= '2026-03-02T00:00:00.000Z'],
  ['scheduleDate eq 2026-11-25', ({ schedule }) => schedule.startsWith('2026-11-25')],
  ['scheduleDate ne 2026-11-25', ({ schedule }) => !schedule.startsWith('2026-11-25')],
  [
    "(scheduleDate ge 2026-10-01 and (paymentDate lt 2026-11-01 and status ne 'Pending'))",
    ({ status, schedule, payment }) => schedule >= '2026-10-01' && payment < '2026-11-01' && status !== 'Pending',
  ],
  [
    "scheduleDate lt 2026-01-01 or status eq 'Pending'",
    ({ status, schedule }) => schedule < '2026-01-01' || status === 'Pending',
  ],
  ['scheduleDate ge 2031-01-01', () => false],
  ['paymentDate ge 2026-11-10T12:00:00+01:00', ({ payment }) => payment >= '2026-11-10T11:00:00.000Z'],
]

it.each(cases)('%s finds what it says, newest first', async (filter, holds) => {
  const all = await walk(undefined)
  expect(all).toHaveLength(1_500)
  const expected = all.filter(holds)
  expect(await walk(filter)).toEqual(expected)
  expect(await walk(filter, 'createdAt')).toEqual(expected.toReversed())
  expect(expected.length === 0).toBe(filter.includes('2031'))
})

it('bounds the list only where it is in the order of creation and every row must have the date', async () => {
  const bounds = (filter: string, orderby?: string) => findCreationSpan(database.db, merchantId, { filter, orderby })
  expect(await bounds('scheduleDate ge 2026-10-01')).toBeDefined()
  expect(await bounds('scheduleDate ge 2026-10-01', 'createdAt desc,amount')).toBeDefined()
  expect(await bounds('scheduleDate ge 2026-10-01', 'amount')).toBeUndefined()
  expect(await bounds("scheduleDate ge 2026-10-01 or status eq 'Pending'")).toBeUndefined()
  expect(await bounds('scheduleDate ge nonsense')).toBeUndefined()
})

it('a payment that comes later, however late or early for its date, is found by it', async () => {
  const day = new Date('2026-10-14T00:00:00Z')
  const filter = 'scheduleDate eq 2026-10-14'
  const before = await walk(filter)
  const [like] = await database.db.select().from(payments).where(eq(payments.scheduleDate, day)).limit(1)
  if (!like) throw new Error('Nothing is due on that day')
  const [newest] = await database.db.select().from(payments).orderBy(desc(payments.createdAt)).limit(1)
  const made = [new Date('2021-01-01T00:00:00Z'), new Date((newest?.createdAt.getTime() ?? 0) + 1)]
  for (const [index, createdAt] of made.entries())
    await database.db
      .insert(payments)
      .values({ ...like, id: `00000000-0000-4000-8000-00000000000${index}`, handle: `pm_late_${index}`, createdAt })
  const found = (await walk(filter)).map(({ id }) => id)
  expect(found).toHaveLength(before.length + 2)
  expect([found.at(-1), found[0]]).toEqual(made.map((_, index) => `00000000-0000-4000-8000-00000000000${index}`))
})
