import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import { startPostgres } from '@/lib/database/testing/start-postgres'
import { verifyChain } from '../activity-log/hash-chain'
import { findBulk } from '../bulk-cancellations/queries'
import { changeBulk } from '../bulk-cancellations/change-bulk'
import { findRunningBulks } from '../bulk-cancellations/row-queue'
import { startBulk } from '../bulk-cancellations/start-bulk'
import { toCancellationView } from '../cancellations/queries'
import { findExport } from '../exports/queries'
import { startExport, stopExport } from '../exports/commands'
import { startImport, stopImport } from '../imports/commands'
import { findImport } from '../imports/import-record'
import { apiTokens } from './api-token-schema'
import { passwordLinks, providerTokens } from './auth-schema'
import { bulkRows, bulks } from './bulk-schema'
import { activity, attempts, connections, defaultConnectionId, sessions, users } from './schema'
import { listExportParts, listExports } from './export-schema'
import { customerImportRows, customerImports } from './import-schema'
import { storeMigrations } from './store'
import { addActor, BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import { makeSession, openMemoryStore } from '../testing/store-fixture'
import { sweepExpired } from './retention'

const keep = { bulks: 90, imports: 60, exports: 1 }
const session = makeSession('admin')
const scope = session.scope

let bench: BulkFixture

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  bench = await BulkFixture.start()
})
beforeEach(() => bench.reset())
afterEach(() => bench.rest())
afterAll(() => bench.close())

const ago = (days: number) => sql<Date>`now() - ${days}::float8 * interval '1 day'`
const ageBulk = ({ id }: { id: string }, days: number) =>
  bench.store.db
    .update(bulks)
    .set({ changedAt: ago(days) })
    .where(eq(bulks.id, id))

async function finish(count: number) {
  const bulk = await bench.start(bench.add(count))
  await bench.work()
  return bench.watch(bulk)
}

/** The activity log's entries about sweeps, in order. */
async function readSweeps(db = bench.store.db): Promise<unknown[]> {
  const rows = await db.select().from(activity).where(eq(activity.action, 'retention.swept')).orderBy(activity.sequence)
  return rows.map(({ actor, details }) => [actor, Object(details).deleted])
}

async function listLeft(ids: readonly string[]): Promise<string[]> {
  const rows = await bench.store.db
    .select({ id: bulks.id })
    .from(bulks)
    .where(inArray(bulks.id, [...ids]))
  const left = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => left.has(id))
}

function importFile(text: string) {
  return startImport(bench.store.db, session, { fileName: 'a.csv', text, mapping: { name: 0 } })
}

const exportPayments = () =>
  startExport(bench.store.db, session, {
    list: 'listPayments',
    asked: null,
    rest: null,
    order: null,
    filters: {},
    columns: ['id'],
    zone: 'UTC',
  })

describe('a sweep', () => {
  test('deletes a bulk that ended long enough ago with its rows, and keeps its cancellations', async () => {
    const [old, recent] = [await finish(3), await finish(2)]
    const list = await bench.view(old)
    const before = await readSweeps()
    await ageBulk(old, 91)
    await ageBulk(recent, 89)
    await sweepExpired(bench.store.db, keep)
    expect(await listLeft([old.id, recent.id])).toEqual([recent.id])
    expect(await bench.store.db.$count(bulkRows, eq(bulkRows.bulkId, old.id))).toBe(0)
    const kept = await bench.rowsOf(old)
    expect(kept.map((row) => [row.bulkId, toCancellationView(row).outcome])).toEqual(
      Array.from({ length: 3 }, () => [old.id, 'cancelled']),
    )
    expect(await bench.actionsOf(old)).toHaveLength(3)
    expect((await readSweeps()).slice(before.length)).toEqual([['desk', { bulks: 1 }]])
    expect(await verifyChain(bench.store.db)).toMatchObject({ holds: true })
    const gone = { code: 'not-found', evidence: { detail: expect.stringContaining('no longer kept') } }
    await expect(findBulk(bench.store.db, scope, old.id)).rejects.toMatchObject(gone)
    // Confirming it again is refused, and nothing is sent.
    const sent = bench.service.deletes.length
    const again = startBulk(bench.ledger, bench.actor, { bulkId: old.id, given: confirm(list) })
    await expect(again).rejects.toMatchObject(gone)
    expect(bench.service.deletes).toHaveLength(sent)
  })

  test('deletes attempts and uses that no limit counts any more', async () => {
    const keys = { attempts: 'account:a', uses: 'day:b' }
    const at = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
    await bench.store.db
      .insert(attempts)
      .values(Object.values(keys).flatMap((key) => [0.9, 2.1].map((days) => ({ key, at: at(days) }))))
    await sweepExpired(bench.store.db, keep)
    const left = await bench.store.db.select({ key: attempts.key, at: attempts.at }).from(attempts)
    expect(left.filter((one) => one.at > at(1)).map(({ key }) => key)).toEqual([keys.attempts, keys.uses])
    expect(left.filter((one) => one.at < at(1))).toEqual([])
  })

  test('deletes nothing that runs, is paused or has a cancellation whose end is open, however old it is', async () => {
    const running = await bench.start(bench.add(2))
    const paused = await bench.start(bench.add(2))
    await changeBulk(bench.ledger, paused.id, { action: 'pause', actor: 'desk' })
    const stopped = await bench.start(bench.add(2))
    // Stopped while one of its payments is being sent.
    await bench.store.db.update(bulks).set({ state: 'stopped' }).where(eq(bulks.id, stopped.id))
    const all = [running, paused, stopped]
    for (const bulk of all) await ageBulk(bulk, 400)
    const before = await readSweeps()
    await sweepExpired(bench.store.db, keep)
    expect(await listLeft(all.map(({ id }) => id))).toHaveLength(3)
    expect(await readSweeps()).toEqual(before)
    // Every cancellation of the stopped one is closed.
    await bench.rest()
    await sweepExpired(bench.store.db, keep)
    expect(await listLeft(all.map(({ id }) => id))).toEqual([running.id, paused.id])
  })

  test('deletes a list that nobody started after a day', async () => {
    const [old, fresh] = [await bench.list(listOf(bench.add(1_200))), await bench.list(listOf(bench.add(2)))]
    const before = await readSweeps()
    await ageBulk(old, 1.1)
    await sweepExpired(bench.store.db, keep)
    expect(await listLeft([old.id, fresh.id])).toEqual([fresh.id])
    expect((await readSweeps()).slice(before.length)).toEqual([['desk', { drafts: 1 }]])
  })

  test('deletes an import with its lines, after which the same file is refused in place of creating everybody twice', async () => {
    const { db } = bench.store
    const [old, recent] = [await importFile('Name\nAnn\nBo\n'), await importFile('Name\nCleo\n')]
    for (const { id } of [old, recent]) await stopImport(db, session, id)
    await db
      .update(customerImports)
      .set({ changedAt: ago(61) })
      .where(eq(customerImports.id, old.id))
    const before = await readSweeps()
    await sweepExpired(db, keep)
    expect((await readSweeps()).slice(before.length)).toEqual([['desk', { imports: 1 }]])
    expect(await db.$count(customerImportRows, eq(customerImportRows.importId, old.id))).toBe(0)
    await expect(findImport(db, scope, old.id)).rejects.toMatchObject({ code: 'not-found' })
    await expect(importFile('Name\nAnn\nBo\n')).rejects.toMatchObject({
      code: 'conflict',
      evidence: { detail: expect.stringMatching(/^admin@example\.com imported this file on \d{4}-.*second time/u) },
    })
    expect((await importFile('Name\nCleo\n')).id).toBe(recent.id)
  })

  test('deletes an export with its text, which is found no more from the end of its days on', async () => {
    const { db } = bench.store
    const row = await exportPayments()
    await stopExport(db, session, row)
    const age = (days: number) =>
      db
        .update(listExports)
        .set({ createdAt: ago(days), changedAt: ago(days) })
        .where(eq(listExports.id, row.id))
    await age(1.01)
    await expect(findExport(db, session, row.id)).rejects.toMatchObject({ code: 'not-found' })
    await sweepExpired(db, keep)
    // A download that began before may finish.
    expect(await db.$count(listExports, eq(listExports.id, row.id))).toBe(1)
    await age(1.1)
    const before = await readSweeps()
    await sweepExpired(db, keep)
    expect(await db.$count(listExportParts, eq(listExportParts.exportId, row.id))).toBe(0)
    expect((await readSweeps()).slice(before.length)).toEqual([['desk', { exports: 1 }]])
  })
})

test('sign-ins that began more than 30 days ago are deleted', async () => {
  const store = await openMemoryStore()
  const userId = crypto.randomUUID()
  await store.db.insert(users).values({ id: userId, email: 'ann@shop.example' })
  const kept = crypto.randomUUID()
  await store.db.insert(sessions).values([
    { id: kept, userId, createdAt: ago(29) },
    { id: crypto.randomUUID(), userId, createdAt: ago(31) },
  ])
  await sweepExpired(store.db, keep)
  expect(await store.db.select().from(sessions)).toMatchObject([{ id: kept }])
  await store.close()
})

test('links for a password are deleted once the account is no longer shown their use', async () => {
  const store = await openMemoryStore()
  const userId = crypto.randomUUID()
  await store.db.insert(users).values({ id: userId, email: 'ann@shop.example' })
  const link = (expired: number, ended: number | null) => {
    const id = crypto.randomUUID()
    const of = { userId, kind: 'reset', secretHash: id, madeBy: 'boss@shop.example' } as const
    return { id, ...of, createdAt: ago(40), expiresAt: ago(expired), endedAt: ended === null ? null : ago(ended) }
  }
  const kept = [link(29, 30), link(-1, null)]
  await store.db.insert(passwordLinks).values([...kept, link(32, 33), link(32, null)])
  await sweepExpired(store.db, keep)
  const left = await store.db.select({ id: passwordLinks.id }).from(passwordLinks)
  expect(left.map(({ id }) => id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted())
  await store.close()
})

test('the provider’s tokens of a sign-in that ended or expired are deleted', async () => {
  const store = await openMemoryStore()
  const userId = crypto.randomUUID()
  await store.db.insert(users).values({ id: userId, email: 'ann@shop.example' })
  const hour = 1 / 24
  const signIns = [
    { createdAt: ago(11 * hour), lastSeenAt: ago(0.4 * hour) },
    { createdAt: ago(hour), lastSeenAt: ago(0.6 * hour) },
    { createdAt: ago(13 * hour), lastSeenAt: ago(0) },
    { createdAt: ago(hour), lastSeenAt: ago(0), endedAt: ago(0) },
  ].map((times) => ({ id: crypto.randomUUID(), userId, ...times }))
  await store.db.insert(sessions).values(signIns)
  const tokens = signIns.map(({ id }) => ({ sessionId: id, tokens: 'sealed', expiresAt: ago(0) }))
  await store.db.insert(providerTokens).values(tokens)
  await sweepExpired(store.db, keep)
  expect(await store.db.select().from(providerTokens)).toMatchObject([{ sessionId: signIns[0]?.id }])
  await store.close()
})

test('an API token that has ended is kept while a bulk that it started is open', async () => {
  const { db } = bench.store
  const author = await addActor(bench.store)
  const apiToken = { id: crypto.randomUUID(), name: 'night job' }
  const of = { userId: author.userId, connectionId: defaultConnectionId, role: 'support', withFactor: false } as const
  const ended = [apiToken, { id: crypto.randomUUID(), name: 'day job' }]
  await db
    .insert(apiTokens)
    .values(
      ended.map(({ id, name }) => ({ ...of, id, name, prefix: id, hash: id, createdAt: ago(61), expiresAt: ago(31) })),
    )
  const bulk = await bench.start(bench.add(2), { ...author, apiToken })
  await changeBulk(bench.ledger, bulk.id, { action: 'pause', actor: author.email })
  await sweepExpired(db, keep)
  expect(await db.select({ id: apiTokens.id }).from(apiTokens)).toEqual([{ id: apiToken.id }])
  await changeBulk(bench.ledger, bulk.id, { action: 'resume', actor: author.email })
  const running = await findRunningBulks(bench.ledger)
  expect(running.find((one) => one.bulk.id === bulk.id)).toMatchObject({ problem: null })
  await bench.work()
  expect(await bench.watch(bulk)).toMatchObject({ problem: null, counts: { cancelled: 2 } })
  await sweepExpired(db, keep)
  expect(await db.$count(apiTokens)).toBe(0)
})

test('two desks on one Postgres sweep at once: each list is told of once', { timeout: 240_000 }, async () => {
  const postgres = await startPostgres()
  const open = () => openDatabase({ url: postgres.url, migrationsFolder: storeMigrations })
  const first = await open()
  const desks = [first, await open()]
  await first.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test' })
  const made = Array.from({ length: 250 }, (_, index) => ({ id: crypto.randomUUID(), index }))
  await first.db.insert(bulks).values(
    made.map(({ id }) => ({
      id,
      connectionId: defaultConnectionId,
      userId: session.userId,
      userEmail: session.email,
      source: { kind: 'list' as const, name: null },
      state: 'finished' as const,
      startedAt: new Date(0),
      changedAt: new Date(0),
    })),
  )
  await first.db.insert(bulkRows).values(
    made.map(({ id }) => ({
      bulkId: id,
      connectionId: defaultConnectionId,
      position: 0,
      given: 'x',
      verdict: 'unknown' as const,
    })),
  )
  // Repeated until it is exercised: the second process leaves the sweep to the first.
  for (let turn = 0; turn < 3; turn += 1) await Promise.all(desks.map(({ db }) => sweepExpired(db, keep)))
  expect(await first.db.$count(bulks)).toBe(0)
  const told = await readSweeps(first.db)
  expect(told.reduce<number>((sum, row) => sum + Number(Object(row)[1].bulks), 0)).toBe(250)
  expect(await verifyChain(first.db)).toMatchObject({ holds: true })
  await Promise.all(desks.map((desk) => desk.close()))
  await postgres.stop()
})
