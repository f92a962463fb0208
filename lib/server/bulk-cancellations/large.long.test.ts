import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { startPostgres, type TestPostgres } from '@/lib/database/testing/start-postgres'
import { verifyChain } from '../activity-log/hash-chain'
import { connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { BulkFixture } from '../testing/bulk-fixture'
import { makeTestLedger } from '../testing/test-ledger'

const hour = 3_600_000
/** The production rules, not the fast ones of tests. */
const rules = {
  graceMs: 15_000,
  pollIntervalMs: 1_000,
  listIntervalMs: 100,
  reviewAfterMs: 840_000,
  leaseMs: 30_000,
  sendTimeoutMs: 20_000,
}

let folder: string
let postgres: TestPostgres

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'large-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

async function open(place: { folder: string } | { url: string }): Promise<BulkFixture> {
  const store: OpenDatabase = await openDatabase({ ...place, migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' }).onConflictDoNothing()
  const fixture = await BulkFixture.start(store)
  const ledger = makeTestLedger(store, fixture.service.url, { rules })
  // The upstream API takes 20 ms per request.
  fixture.ledger = { ...ledger, call: async (...asked) => (await wait(20), ledger.call(...asked)) }
  return fixture
}

/** Polls until the bulk is finished, even while the store is unavailable. */
async function finish(fixture: BulkFixture, bulk: { id: string }) {
  for (;;) {
    const view = await fixture.view(bulk).catch(() => null)
    if (view?.state === 'finished') return view
    await wait(500)
  }
}

async function expectEachOnce(fixture: BulkFixture, size: number): Promise<void> {
  const { deletes } = fixture.service
  expect(deletes).toHaveLength(size)
  expect(new Set(deletes.map(({ paymentId }) => paymentId)).size).toBe(size)
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
}

test.each(['PGlite', 'Postgres'])(
  '5,000 payments at a service of 20 ms, from the first to the last that is confirmed, on %s (LD-07)',
  async (kind) => {
    const fixture = await open(kind === 'PGlite' ? { folder } : { url: postgres.url })
    const bulk = await fixture.start(fixture.add(5_000))
    await fixture.work()
    expect(await finish(fixture, bulk)).toMatchObject({ counts: { cancelled: 5_000 } })
    await expectEachOnce(fixture, 5_000)
    await fixture.rest()
    await fixture.close()
  },
  hour,
)

test(
  'Postgres is away for 60 seconds in the middle of a bulk: it goes on by itself, each cancelled once (ST-05)',
  async () => {
    const fixture = await open({ url: postgres.url })
    const bulk = await fixture.start(fixture.add(400))
    await fixture.work()
    while (fixture.service.deletes.length < 100) await wait(20)
    await postgres.crash()
    await wait(2_000)
    const sent = fixture.service.deletes.length
    await wait(58_000)
    // Without its store the desk starts nothing.
    expect(fixture.service.deletes).toHaveLength(sent)
    await postgres.restart()
    expect(await finish(fixture, bulk)).toMatchObject({ counts: { cancelled: 400 } })
    await expectEachOnce(fixture, 400)
    await fixture.rest()
    await fixture.close()
  },
  hour,
)
