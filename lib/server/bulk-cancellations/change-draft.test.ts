import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { bulks } from '../store/bulk-schema'
import type { BulkRequest } from '@/lib/domain/cancellations/bulk-cancellation'
import { describeSource } from '@/lib/domain/cancellations/bulk-messages'
import { BulkFixture, confirm, listOf } from '../testing/bulk-fixture'
import { changeDraftRow, discardDraft } from './change-draft'
import { createBulk } from './prepare-bulk'
import { findBulk, listOwnUnconfirmed, viewBulk } from './queries'
import { readBulkRows } from './result-rows'
import { startBulk } from './start-bulk'

let fixture: BulkFixture

beforeAll(async () => {
  fixture = await BulkFixture.start()
})
beforeEach(() => fixture.reset())
afterAll(() => fixture.close())

async function draftOf(amounts: readonly number[]) {
  const payments = amounts.map((amount) => fixture.service.add({ amount }))
  const bulk = await fixture.list(listOf(payments))
  const { userId } = await findBulk(fixture.store.db, fixture.ledger, bulk.id)
  return { payments, bulk, draft: { connectionId: fixture.ledger.connectionId, userId, bulkId: bulk.id } }
}

it('a row that is taken out is in neither count, sum nor hash, and is not sent', async () => {
  const { payments, bulk, draft } = await draftOf([100, 20, 3])
  const { db } = fixture.store
  const changed = await changeDraftRow(fixture.store, { ...draft, position: 1, isLeftOut: true })
  expect(changed).toMatchObject({ count: 2, sums: [{ count: 2, sum: '103' }] })
  expect(changed.changedAt).toEqual((await findBulk(db, fixture.ledger, bulk.id)).changedAt)
  // What was shown before can no longer be confirmed.
  await expect(
    startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) }),
  ).rejects.toMatchObject({ code: 'changed-since-seen' })
  const view = await viewBulk(db, changed)
  await startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(view) })
  const sent = (await fixture.rowsOf(bulk)).map(({ paymentId }) => paymentId)
  expect(new Set(sent)).toEqual(new Set([payments[0]?.id, payments[2]?.id]))
})

it('a row comes back as it was', async () => {
  const { bulk, draft } = await draftOf([100, 20])
  await changeDraftRow(fixture.store, { ...draft, position: 0, isLeftOut: true })
  const back = await changeDraftRow(fixture.store, { ...draft, position: 0, isLeftOut: false })
  expect(back).toMatchObject({ count: bulk.count, sums: bulk.sums, digest: bulk.digest })
})

it('a row that was taken out, or back in, is among those changed since then', async () => {
  const { bulk, draft } = await draftOf([100, 20, 3])
  const stored = await findBulk(fixture.store.db, fixture.ledger, bulk.id)
  const readSince = async (since: string) =>
    (await readBulkRows(fixture.store, stored, { from: 0, since: new Date(since) })).rows.map(
      ({ position, verdict }) => [position, verdict] as const,
    )
  const { asOf, rows } = await readBulkRows(fixture.store, stored, { from: 0, since: null })
  expect(rows).toHaveLength(3)
  expect(await readSince(asOf)).toEqual([])
  await changeDraftRow(fixture.store, { ...draft, position: 1, isLeftOut: true })
  expect(await readSince(asOf)).toEqual([[1, 'left-out']])
  await changeDraftRow(fixture.store, { ...draft, position: 1, isLeftOut: false })
  await changeDraftRow(fixture.store, { ...draft, position: 2, isLeftOut: true })
  expect(await readSince(asOf)).toEqual([
    [1, 'cancellable'],
    [2, 'left-out'],
  ])
})

it('a name made of the payments follows them, any other stays', async () => {
  const payments = [1, 2].map((at) => fixture.service.add({ reference: `INV-${at}` }))
  for (const [name, names] of [
    [null, ['INV-1, INV-2', 'INV-2', 'INV-1, INV-2', 'INV-2']],
    ['june.csv', ['june.csv', 'june.csv', 'june.csv', 'june.csv']],
  ] as const) {
    const bulk = await fixture.list({ ...listOf(payments), name } as BulkRequest)
    const { userId } = await findBulk(fixture.store.db, fixture.ledger, bulk.id)
    const draft = { connectionId: fixture.ledger.connectionId, userId, bulkId: bulk.id }
    const change = async (position: number, isLeftOut: boolean) =>
      (await changeDraftRow(fixture.store, { ...draft, position, isLeftOut })).source
    const sources = [bulk.source, await change(0, true), await change(1, true), await change(1, false)]
    expect(sources.map(describeSource)).toEqual(names)
  }
})

it('a list that is too old is refused as that', async () => {
  const { bulk } = await draftOf([100])
  const { db } = fixture.store
  await db
    .update(bulks)
    .set({ changedAt: new Date(Date.now() - 31 * 60_000) })
    .where(eq(bulks.id, bulk.id))
  await expect(
    startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) }),
  ).rejects.toMatchObject({ code: 'not-possible' })
})

it('a row that can’t be cancelled, one of somebody else’s list, or of one that was started, can’t be changed', async () => {
  const { bulk, draft } = await draftOf([100])
  const { db } = fixture.store
  const change = { position: 0, isLeftOut: true }
  await expect(changeDraftRow(fixture.store, { ...draft, ...change, position: 5 })).rejects.toMatchObject({
    code: 'conflict',
  })
  const stranger = { ...draft, userId: crypto.randomUUID() }
  await expect(changeDraftRow(fixture.store, { ...stranger, ...change })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(discardDraft(db, stranger)).rejects.toMatchObject({ code: 'forbidden' })
  await startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) })
  await expect(changeDraftRow(fixture.store, { ...draft, ...change })).rejects.toMatchObject({ code: 'conflict' })
  await expect(discardDraft(db, draft)).rejects.toMatchObject({ code: 'conflict' })
})

it('a draft is discarded with its rows', async () => {
  const { bulk, draft } = await draftOf([100, 20])
  await discardDraft(fixture.store.db, draft)
  await expect(findBulk(fixture.store.db, fixture.ledger, bulk.id)).rejects.toMatchObject({ code: 'not-found' })
  await expect(discardDraft(fixture.store.db, draft)).rejects.toMatchObject({ code: 'not-found' })
})

const listUnconfirmed = async (userId: string, now?: number) => {
  const scope = fixture.ledger as unknown as Parameters<typeof listOwnUnconfirmed>[1]
  const views = await listOwnUnconfirmed(fixture.store.db, scope, userId, now)
  return new Map(views.map(({ id, state }) => [id, state]))
}

it('a list is its maker’s to confirm until they do, and no other’s', async () => {
  const { bulk, draft } = await draftOf([100])
  expect((await listUnconfirmed(draft.userId)).get(bulk.id)).toBe('ready')
  expect(await listUnconfirmed(crypto.randomUUID())).toEqual(new Map())
  await startBulk(fixture.ledger, fixture.actor, { bulkId: bulk.id, given: confirm(bulk) })
  expect((await listUnconfirmed(draft.userId)).has(bulk.id)).toBe(false)
})

it('a list is shown as long as it can be confirmed, from when it is asked for; none that is empty', async () => {
  const { bulk, draft } = await draftOf([100])
  const { db } = fixture.store
  const { changedAt } = await findBulk(db, fixture.ledger, bulk.id)
  const atLatest = changedAt.getTime() + 30 * 60_000
  const preparing = await createBulk(fixture.ledger, fixture.actor, listOf([]))
  expect((await listUnconfirmed(draft.userId)).get(preparing.id)).toBe('preparing')
  expect((await listUnconfirmed(draft.userId, atLatest)).has(bulk.id)).toBe(true)
  expect((await listUnconfirmed(draft.userId, atLatest + 1)).has(bulk.id)).toBe(false)
  await changeDraftRow(fixture.store, { ...draft, position: 0, isLeftOut: true })
  expect((await listUnconfirmed(draft.userId)).has(bulk.id)).toBe(false)
})

it('a list that could not be made is shown as well: whoever left meanwhile was told of none', async () => {
  const { draft } = await draftOf([100])
  fixture.service.lists.container = (one) => ({ ...one, hasMore: undefined })
  const bulk = await fixture.list({ kind: 'filter', filter: null, words: '' })
  expect((await listUnconfirmed(draft.userId)).get(bulk.id)).toBe('failed')
})
