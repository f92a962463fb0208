import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { BulkFixture } from '../testing/bulk-fixture'
import { runBulks } from './worker'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.rest())
afterAll(() => fixture.close())

test('a worker whose every pass fails makes none, so that the desk is not taken for ready', async () => {
  const read = () => Promise.reject(new Error('no'))
  fixture.reset({ capabilities: { ...fixture.ledger.capabilities, read } })
  const running = await runBulks(fixture.ledger)
  const { passes } = fixture.ledger.memory
  const first = passes.get('bulks')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(passes.get('bulks')).toBe(first)
  await running.stop()
})

test('a worker that can end no bulk is not taken for alive, though its other passes are made', async () => {
  const { db } = fixture.store
  fixture.reset({ report: () => undefined })
  const bulk = await fixture.start(fixture.add(1))
  await db.execute(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
  await db.execute(
    sql.raw(
      `create trigger refuse before update on bulks for each row when (old.id = '${bulk.id}') execute function refuse()`,
    ),
  )
  await fixture.work()
  const { passes } = fixture.ledger.memory
  await fixture.watch(bulk, ({ counts }) => counts.cancelled === 1)
  await vi.waitFor(() => expect(passes.get('bulks')).toBeGreaterThan(passes.get('bulk-ends') ?? 0), { timeout: 8_000 })
  const failing = passes.get('bulk-ends')
  await new Promise((resolve) => setTimeout(resolve, 6_500))
  expect(passes.get('bulk-ends')).toBe(failing)
  await db.execute(sql`drop function refuse cascade`)
  await vi.waitFor(() => expect(passes.get('bulk-ends')).toBeGreaterThan(failing ?? 0), { timeout: 8_000 })
  await fixture.rest()
  expect([...passes.keys()]).toEqual([])
})
