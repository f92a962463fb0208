import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, max, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { seedDatabase } from '../seed/seed-database'
import { keepReading, readLatestReading } from './clock-reading'
import { payments } from './schema'

const migrationsFolder = join(process.cwd(), 'service/store/migrations')
let database: OpenDatabase

beforeAll(async () => {
  database = await openDatabase({ migrationsFolder })
})
afterAll(() => database.close())

test('the latest reading is kept, whoever tells it last', async () => {
  const { db } = database
  expect(await readLatestReading(db)).toBeNull()
  const [first, second] = [new Date('2026-11-29T12:00:00.123Z'), new Date('2026-12-01T00:00:00Z')]
  for (const at of [first, second, first]) await keepReading(db, at)
  expect(await readLatestReading(db)).toEqual(second)
})

test('a store of before goes on from the latest moment in it', async () => {
  const { db } = database
  await seedDatabase(db, 30, new Date('2026-11-29T12:00:00Z'))
  const source = await readFile(join(migrationsFolder, '0008_clock-reading.sql'), 'utf8')
  const migrate = async () => {
    await db.execute(sql`drop table clock_readings`)
    for (const statement of source.split('--> statement-breakpoint')) await db.execute(sql.raw(statement))
    return readLatestReading(db)
  }
  const [latest] = await db.select({ at: max(payments.modifiedAt) }).from(payments)
  expect(await migrate()).toEqual(latest?.at)
  // A cancellation that was accepted is due then, by a clock that had been moved.
  const cancelAt = new Date('2026-12-02T09:00:00Z')
  await db.update(payments).set({ cancelAt }).where(eq(payments.status, 'Pending'))
  expect(await migrate()).toEqual(cancelAt)
})
