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

test('a bulk that cannot be ended keeps up no other, nor what is sent', async () => {
  const { db } = fixture.store
  const reports: [string, unknown][] = []
  fixture.reset({ report: (event, facts) => void reports.push([event, facts?.bulkId]) })
  const stuck = await fixture.start(fixture.add(1))
  await db.execute(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  )
  await db.execute(
    sql.raw(
      `create trigger refuse before update on bulks for each row when (old.id = '${stuck.id}') execute function refuse()`,
    ),
  )
  await fixture.work()
  await fixture.watch(stuck, ({ counts }) => counts.cancelled === 1)
  await vi.waitFor(() => expect(reports).toContainEqual(['bulk-not-ended', stuck.id]), { timeout: 8_000 })
  const other = await fixture.start(fixture.add(1))
  await fixture.watch(other, ({ state }) => state === 'finished')
  await db.execute(sql`drop function refuse cascade`)
  await fixture.watch(stuck, ({ state }) => state === 'finished')
  expect(reports.filter(([event]) => event === 'bulk-interrupted')).toEqual([])
})
