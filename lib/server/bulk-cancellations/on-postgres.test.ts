import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectionSettings } from '@/lib/domain/merchant-connection'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { verifyChain } from '../activity-log/hash-chain'
import { writeIntent } from '../cancellations/intents'
import { removeConnection } from '../merchants/commands'
import { activity, cancellations, connections, defaultConnectionId } from '../store/schema'
import { storeMigrations } from '../store/store'
import { BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import { askFor } from '../testing/ledger-fixture'
import { addAdmin } from '../testing/store-fixture'
import { makeTestLedger } from '../testing/test-ledger'
import { runWorkers } from './worker'
import { startBulk } from './start-bulk'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let stores: OpenDatabase[]
let fixture: BulkFixture

beforeAll(async () => {
  postgres = await startPostgres()
  const open = () => openDatabase({ url: postgres.url, migrationsFolder: storeMigrations })
  const first = await open()
  stores = [first, await open()]
  await first.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
  fixture = await BulkFixture.start(first)
})
afterAll(async () => {
  await fixture.close()
  await stores[1]?.close()
  await postgres.stop()
})

test('two desks on one Postgres share two bulks that overlap, and send nothing twice (BK-07, CX-12)', async () => {
  const payments = fixture.add(80)
  const lists = [
    await fixture.list(listOf(payments.slice(0, 60))),
    await fixture.list(listOf(payments.slice(20).toReversed())),
  ]
  const desks = stores.map((store) => makeTestLedger(store, fixture.service.url))
  await Promise.all(
    lists.map((bulk, index) =>
      startBulk(desks[index] ?? fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) }),
    ),
  )
  const workers = await Promise.all(desks.map(runWorkers))
  const ends = await Promise.all(lists.map((bulk) => fixture.watch(bulk)))
  await Promise.all(workers.map((worker) => worker.stop()))
  const sum = (of: (view: (typeof ends)[number]) => number) => ends.reduce((total, view) => total + of(view), 0)
  expect(sum(({ counts }) => counts.cancelled)).toBe(80)
  expect(sum(({ counts }) => counts.left)).toBe(40)
  expect(fixture.service.deletes).toHaveLength(80)
  expect(new Set(fixture.service.deletes.map(({ paymentId }) => paymentId)).size).toBe(80)
  expect(await verifyChain(fixture.store.db)).toMatchObject({ holds: true })
})

test('two desks that start one bulk at once write each intent once, and it is started once', async () => {
  const bulk = await fixture.list(listOf(fixture.add(500)))
  const desks = stores.map((store) => makeTestLedger(store, fixture.service.url))
  const started = await Promise.all(
    desks.map((desk) => startBulk(desk, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) })),
  )
  expect(started).toMatchObject([{ state: 'running' }, { state: 'running' }])
  const rows = await fixture.rowsOf(bulk)
  expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(500)
  expect(rows).toHaveLength(500)
  expect((await fixture.actionsOf(bulk)).map(([action]) => action)).toEqual(['bulk.created', 'bulk.started'])
  const { db } = fixture.store
  const intended = await db.select().from(activity).where(eq(activity.action, 'cancellation.intended'))
  expect(intended.filter(({ details }) => JSON.stringify(details).includes(bulk.id))).toHaveLength(500)
  expect(await verifyChain(db)).toMatchObject({ holds: true })
  await fixture.rest()
})

test('a merchant is not removed while somebody asks for a cancellation there, nor asked for afterwards', async () => {
  const connectionId = 'm-going'
  const settings = connectionSettings.parse({ baseUrl: 'https://service.example', auth: 'none' })
  await fixture.store.db.insert(connections).values({ connectionId, name: 'Going', settings })
  const ledger = { ...fixture.ledger, connectionId }
  const admin = await addAdmin(fixture.store.db, connectionId)
  const remove = () => removeConnection(stores[1]?.db ?? fixture.store.db, admin)
  let commit = () => {}
  const mayCommit = new Promise<void>((resolve) => (commit = resolve))
  let write = () => {}
  const written = new Promise<void>((resolve) => (write = resolve))
  const asking = fixture.store.db.transaction(async (tx) => {
    await writeIntent({ ...ledger, db: tx }, fixture.actor, askFor(fixture.service.add()))
    write()
    await mayCommit
  })
  await written
  const removing = remove()
  const waiting = vi.waitFor(async () => {
    const locks = await fixture.store.db.execute(sql`select 1 from pg_locks where not granted`)
    expect(locks).toHaveProperty('rowCount', 1)
  }, 20_000)
  await Promise.race([removing.catch(() => undefined), waiting])
  commit()
  await asking
  await expect(removing).rejects.toMatchObject({ code: 'conflict' })

  const mine = eq(cancellations.connectionId, connectionId)
  await fixture.store.db.update(cancellations).set({ closedAt: new Date(), state: 'not-cancelled' }).where(mine)
  await remove()
  const late = writeIntent(ledger, fixture.actor, askFor(fixture.service.add()))
  await expect(late).rejects.toMatchObject({ code: 'not-found' })
  expect(await fixture.store.db.$count(cancellations, mine)).toBe(1)
})
