import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { verifyChain } from '../activity-log/hash-chain'
import { inboxMessages } from './inbox-schema'
import { LedgerFixture } from '../testing/ledger-fixture'
import { makeMigratedDatabase } from '../testing/store-fixture'
import { settleLedger } from '../testing/test-ledger'
import { moveStore } from './move-store'
import { storeMigrations } from './store'

let postgres: TestPostgres
let bench: LedgerFixture

beforeAll(async () => {
  postgres = await startPostgres()
  bench = await LedgerFixture.start()
})
afterAll(async () => {
  await bench.close()
  await postgres.stop()
})

const open = async () =>
  openDatabase({ url: await makeMigratedDatabase(postgres.url), migrationsFolder: storeMigrations })

test('everything is moved to Postgres, the chain holds there, and work goes on (ST-08)', async () => {
  const { db } = bench.store
  for (let each = 0; each < 5; each += 1) await settleLedger(bench.ledger, (await bench.cancel(bench.service.add())).id)
  bench.service.cancelDelay = 300
  const open1 = await bench.cancel(bench.service.add())
  const body = `{"amount":9007199254740993,"name":"Zoë \\u2028 "}`
  const message = { connectionId: 'default', headers: { a: '1' }, body, verdict: 'not-checked' as const }
  await db.insert(inboxMessages).values([message, message])
  const before = await verifyChain(db)
  const target = await open()
  const sums = await moveStore(db, target.db)
  expect(sums.get('cancellations')).toMatch(/^6 rows, sum [1-9]/u)
  expect(await verifyChain(target.db)).toEqual(before)
  expect(before).toMatchObject({ holds: true })
  const kept = await target.db.insert(inboxMessages).values(message).returning()
  expect(kept).toMatchObject([{ sequence: 3 }])
  expect((await target.db.select().from(inboxMessages)).map((row) => row.body)).toEqual([body, body, body])
  expect(await settleLedger({ ...bench.ledger, db: target.db }, open1.id)).toMatchObject({ state: 'cancelled' })
  expect(await verifyChain(target.db)).toMatchObject({ holds: true })
  await expect(moveStore(db, target.db)).rejects.toThrow('The database is not empty')
  await target.close()
})

test('large rows are moved a few at a time', async () => {
  const { db } = bench.store
  const body = 'x'.repeat(5 * 1024 * 1024)
  const message = { connectionId: 'default', headers: {}, body, verdict: 'not-checked' as const, webhookId: null }
  for (let each = 0; each < 5; each += 1) await db.insert(inboxMessages).values(message)
  const target = await open()
  await target.db.execute(
    sql`create function refuse() returns trigger language plpgsql as
      'begin if (select sum(octet_length(body)) from added) > 16 * 1024 * 1024 then raise exception ''too much at once''; end if; return null; end'`,
  )
  await target.db.execute(
    sql`create trigger refuse after insert on inbox_messages referencing new table as added for each statement execute function refuse()`,
  )
  await moveStore(db, target.db)
  expect(await target.db.$count(inboxMessages, eq(inboxMessages.body, body))).toBe(5)
  await db.delete(inboxMessages).where(eq(inboxMessages.body, body))
  await target.close()
})

test('nothing is moved when it fails on the way', async () => {
  const target = await open()
  await target.db.execute(sql`alter table activity add constraint few check (sequence < 3)`)
  await expect(moveStore(bench.store.db, target.db)).rejects.toMatchObject({ cause: { code: '23514' } })
  expect(await target.db.$count(inboxMessages)).toBe(0)
  expect(await target.db.execute(sql`select 1 from connections`)).toMatchObject({ rows: [] })
  await target.close()
})
