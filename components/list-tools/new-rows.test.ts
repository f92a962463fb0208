import { act } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { patchRows } from '@/lib/client/list-queries'
import { makePayments } from '@/lib/client/testing/list-service'
import type { Payment } from '@/lib/api-contract/payments'
import { chooseNewRows, readNewRows } from './new-rows'
import { honest, keysFrom, setListStage, slowly, waitUntil } from '../infinite-list/testing/open-list'

const stage = setListStage()

afterEach(stage.close)

type Entry = Record<string, unknown>

/** The API's list, which tests change; in `pages` of 100. */
let all: Entry[] = []

function serve(after: string | null) {
  const from = Number(after ?? 0)
  const hasMore = from + 100 < all.length
  return { body: { results: all.slice(from, from + 100), hasMore, nextOffset: hasMore ? String(from + 100) : null } }
}

const added = (count: number) => makePayments(9_000, count)
const idsOf = (rows: readonly Payment[]) => rows.map(({ id }) => id)

/** Opens the list, reads as far as `seen` requires, then changes the API's list. */
async function openThen(change: (before: Entry[]) => Entry[], before: Entry[], seen = before.length): Promise<void> {
  all = before
  await stage.open(serve, { seen })
  await stage.finish()
  all = change(before)
}

async function readOffer() {
  const newRows = await readNewRows(stage.list, false)
  return { ...newRows, ...chooseNewRows(stage.list, newRows) }
}

describe('what is new in a list', () => {
  it('is offered on top where it stands before all others', async () => {
    await openThen((before) => [...added(3), ...before], makePayments(0, 100))
    const news = await readOffer()
    expect([idsOf(news.offered), news.isOnTop]).toEqual([['p9000', 'p9001', 'p9002'], true])
    expect(idsOf(news.known)).toEqual(keysFrom(0, 100))
  })

  it('is what came to an empty list', async () => {
    await openThen(() => added(3), [])
    expect(await readOffer()).toMatchObject({
      offered: [{ id: 'p9000' }, {}, {}],
      known: [],
      isOnTop: false,
    })
  })

  it('is told where so much came that no known row is left at the head', async () => {
    await openThen((before) => [...added(150), ...before], makePayments(0, 100))
    const news = await readOffer()
    expect([news.offered.length, news.known, news.isOnTop, news.isPart]).toEqual([100, [], false, true])
  })

  it('is never on top where loaded rows are found at the end of the list alone', async () => {
    await openThen((before) => [...added(150), ...before], makePayments(0, 250))
    expect(await readOffer()).toMatchObject({ isOnTop: false, isPart: true })
  })

  it('is told where it stands among the others, as in another order', async () => {
    await openThen((before) => [...before.slice(0, 40), ...added(2), ...before.slice(40)], makePayments(0, 90))
    const news = await readOffer()
    expect([idsOf(news.offered), news.isOnTop]).toEqual([['p9000', 'p9001'], false])
  })

  it('is told where some stands on top and some among the others', async () => {
    const [first, second] = added(2)
    await openThen(
      (before) => [first ?? {}, ...before.slice(0, 40), second ?? {}, ...before.slice(40)],
      makePayments(0, 90),
    )
    const news = await readOffer()
    expect([idsOf(news.offered), news.isOnTop]).toEqual([['p9000', 'p9001'], false])
  })

  it.each([
    ['of one page', 90],
    ['of several pages', 250],
  ])('is found at the end of a list %s that was read whole', async (_, count) => {
    await openThen((before) => [...before, ...added(2)], makePayments(0, count))
    const news = await readOffer()
    expect([idsOf(news.offered), news.isOnTop]).toEqual([['p9000', 'p9001'], false])
  })

  it.each([
    [100, 50, 50, false],
    [100, 150, 100, true],
    [250, 50, 50, false],
    [250, 300, 150, true],
  ])('is read on after %i rows, which were the end, of %i that came', async (count, came, offered, isPart) => {
    await openThen((before) => [...before, ...added(came)], makePayments(0, count))
    const news = await readOffer()
    expect([news.offered.length, news.isOnTop, news.isPart]).toEqual([offered, false, isPart])
  })

  it('is all on top where it has moved the end of the list to another page', async () => {
    await openThen((before) => [...added(3), ...before], makePayments(0, 200))
    const news = await readOffer()
    expect([news.offered.length, news.isOnTop, news.isPart]).toEqual([3, true, false])
  })

  it('is counted once, where the head and the end are the same rows', async () => {
    await openThen(() => added(3), makePayments(0, 150))
    stage.service.read = (
      (read) => (_, signal) =>
        read(undefined, signal)
    )(stage.service.read)
    expect(idsOf((await readOffer()).offered)).toEqual(['p9000', 'p9001', 'p9002'])
  })

  it('is nothing where rows were moved up from the part that is not loaded yet', async () => {
    all = makePayments(0, 500)
    await stage.open(serve, { seen: null })
    await waitUntil(() => stage.list.pagination.kind === 'more')
    expect(stage.list.size).toBe(100)
    all = all.slice(5)
    const news = await readOffer()
    expect([news.offered, news.known.length]).toEqual([[], 95])
  })

  it('is nothing where nothing came, and what is known is told as it is now', async () => {
    await openThen((before) => before.map((row) => ({ ...row, status: 'Settled' })), makePayments(0, 250))
    const news = await readOffer()
    expect([news.offered, news.isOnTop]).toEqual([[], false])
    expect(idsOf(news.known)).toEqual([...keysFrom(0, 100), ...keysFrom(200, 250)])
    expect(news.known.every(({ status }) => status === 'Settled')).toBe(true)
  })

  it('takes no row back that was changed while it was read', async () => {
    await openThen((before) => before, makePayments(0, 250))
    const reading = readNewRows(stage.list, false)
    const [changed] = makePayments(3, 1)
    act(() => patchRows(stage.client, 'listPayments', [{ ...changed, id: 'p3' }]))
    const news = await reading
    expect(idsOf(news.known)).toEqual([...keysFrom(0, 3), ...keysFrom(4, 100), ...keysFrom(200, 250)])
  })

  it('is no row without an id, which could be any', async () => {
    await openThen((before) => [{ status: 'Pending' }, ...before], makePayments(0, 10))
    expect((await readOffer()).offered).toEqual([])
  })

  it('is what the filter of the desk lets through', async () => {
    await openThen((before) => [...added(3), ...before], makePayments(0, 100))
    stage.show({ rules: { name: 'odd', matches: ({ reference }) => /[13579]$/u.test(reference ?? '') } })
    const news = await readOffer()
    expect([idsOf(news.offered), news.isOnTop]).toEqual([['p9001'], true])
    // Filtered-out rows belong to the list too and appear without the filter.
    expect(idsOf(news.top)).toEqual(['p9000', 'p9001', 'p9002'])
  })
})

it('is found at the end of a whole list also while the filter of the desk still looks through it', async () => {
  await openThen((before) => [...before, ...added(2)], makePayments(0, 4_950))
  stage.show({ rules: { name: 'all', matches: slowly(() => true) } })
  expect(stage.list.isProcessed).toBe(false)
  expect(idsOf((await readOffer()).offered)).toEqual(['p9000', 'p9001'])
})

it('reads the head alone where the end was not reached', async () => {
  await stage.open(honest(2_000), { seen: 50 })
  await waitUntil(() => stage.list.size === 300 && stage.list.pagination.kind === 'more')
  await readOffer()
  expect(stage.service.requests.slice(3)).toEqual([null])
})

it('throws what the provider refused with', async () => {
  let isBroken = false
  await stage.open((after) => (isBroken ? { status: 502, body: null } : honest(50)(after)))
  await stage.finish()
  isBroken = true
  await expect(readNewRows(stage.list, false)).rejects.toMatchObject({ status: 502 })
})
