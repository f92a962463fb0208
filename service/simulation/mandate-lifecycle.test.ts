import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { seedDatabase } from '../seed/seed-database'
import { agreements, mandates, payments } from '../store/schema'
import { advanceDueMandates, billDueMandates, expiryOf } from './mandate-lifecycle'

let database: OpenDatabase
const now = new Date('2026-11-29T12:00:00Z')

beforeAll(async () => {
  database = await openDatabase({ migrationsFolder: join(process.cwd(), 'service/store/migrations') })
  await seedDatabase(database.db, 60, now)
})
afterAll(() => database.close())

/** An active mandate without payments; `change` is set on it. */
async function takeMandate(change: Partial<typeof mandates.$inferInsert>): Promise<string> {
  const { db } = database
  const [one] = await db.select().from(mandates).where(eq(mandates.status, 'Active')).limit(1)
  if (!one) throw new Error('There is no active mandate')
  const id = randomUUID()
  await db.insert(mandates).values({ ...one, nextAt: null, billAt: null, ...change, id, handle: `md_${id}` })
  return id
}

test.each([true, false])('the first payment on a mandate is a test where its agreement is one: %j', async (isTest) => {
  const { db } = database
  const [agreement] = await db.select().from(agreements).limit(1)
  if (!agreement) throw new Error('There is no agreement')
  const agreementId = randomUUID()
  await db.insert(agreements).values({ ...agreement, id: agreementId, handle: `ag_${agreementId}`, test: isTest })
  const mandateId = await takeMandate({ agreementId, billAt: now })
  await billDueMandates(db, now)
  const made = await db.select({ test: payments.test }).from(payments).where(eq(payments.mandateId, mandateId))
  expect(made).toEqual([{ test: isTest }])
})

test.each([
  ['2026-11-29', '2029-11-29'],
  ['2024-02-29', '2027-02-28'],
])('a mandate that was last used on %s expires on %s', (used, expires) => {
  expect(expiryOf(new Date(`${used}T12:00:00Z`))).toEqual(new Date(`${expires}T12:00:00Z`))
})

test('a mandate expires when its 36 months are over, and not while it is used', async () => {
  const { db } = database
  const [unused, used] = [await takeMandate({}), await takeMandate({ billAt: now })]
  await billDueMandates(db, now)
  const both = inArray(mandates.id, [unused, used])
  await db.update(mandates).set({ nextAt: now }).where(both)
  const expires = expiryOf(now)
  for (const at of [now, expires]) {
    await advanceDueMandates(db, at)
    const found = await db
      .select({ id: mandates.id, status: mandates.status, nextAt: mandates.nextAt })
      .from(mandates)
      .where(both)
    const isOver = at === expires
    expect(found).toContainEqual({ id: unused, status: 'Expired', nextAt: null })
    expect(found).toContainEqual({
      id: used,
      status: isOver ? 'Expired' : 'Active',
      nextAt: isOver ? null : expires,
    })
  }
})
