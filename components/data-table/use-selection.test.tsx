import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makePayments } from '@/lib/client/testing/list-service'
import type { Payment } from '@/lib/api-contract/payments'
import { takePendingToasts } from '../feedback/toast-store'
import { clearListPlace } from './list-place'
import { honest, setListStage, waitUntil } from '../infinite-list/testing/open-list'
import { type Selection, useSelection } from './use-selection'

let selection: Selection<Payment>

/** `scope` identifies the filters, `visit` the filters and sorting. */
const stage = setListStage((list, { visit = 'plain', scope = 'all' }) => {
  selection = useSelection(list, scope, visit)
  return null
})

const ticked = () => Object.keys(selection.state).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
const rows = () => selection.rows.map(({ id }) => id)

beforeEach(() => {
  for (const view of ['plain', 'sorted', 'filtered']) clearListPlace(view)
})

afterEach(stage.close)

describe('ticks', () => {
  beforeEach(async () => {
    await stage.open(honest(100), { visit: 'plain' })
    await stage.settle()
  })

  it('come and go one by one', () => {
    for (const index of [5, 6, 5]) act(() => selection.toggle(index, false))
    expect([ticked(), selection.count]).toEqual([['p6'], 1])
  })

  it('cover a range from the row that was ticked last, in both directions, and again from the same row', () => {
    act(() => selection.toggle(5, false))
    act(() => selection.toggle(7, true))
    expect(ticked()).toEqual(['p5', 'p6', 'p7'])
    act(() => selection.toggle(3, true))
    expect(ticked()).toEqual(['p3', 'p4', 'p5', 'p6', 'p7'])
  })

  it('go from a range that begins with a row that was unticked last', () => {
    act(() => selection.toggle(1, false))
    act(() => selection.toggle(9, true))
    act(() => selection.toggle(3, false))
    act(() => selection.toggle(6, true))
    expect(ticked()).toEqual(['p1', 'p2', 'p7', 'p8', 'p9'])
  })

  it('that come after a clearing stay when it is undone', () => {
    takePendingToasts()
    for (const index of [5, 6]) act(() => selection.toggle(index, false))
    act(() => selection.clear())
    act(() => selection.toggle(8, false))
    act(() => takePendingToasts()[0]?.undo?.())
    expect(ticked()).toEqual(['p5', 'p6', 'p8'])
  })

  it('offer to bring back what was cleared only while its list and its filters are shown', () => {
    takePendingToasts()
    const offer = () => {
      for (const index of [5, 6]) act(() => selection.toggle(index, false))
      act(() => selection.clear())
      return takePendingToasts()[0]?.signal
    }
    const first = offer()
    expect(first?.aborted).toBe(false)
    stage.show({ visit: 'filtered', scope: 'some' })
    expect(first?.aborted).toBe(true)
    const second = offer()
    expect(second?.aborted).toBe(false)
    stage.leave()
    expect(second?.aborted).toBe(true)
  })

  it('are of one row where a range has no beginning, or everything was let go', () => {
    act(() => selection.toggle(4, true))
    expect(ticked()).toEqual(['p4'])
    act(() => selection.clear())
    expect(selection.count).toBe(0)
    act(() => selection.toggle(8, true))
    expect(ticked()).toEqual(['p8'])
  })

  it('go along with the focus, away from where that began and back', () => {
    for (const [from, to] of [
      [5, 6],
      [6, 7],
    ] as const)
      act(() => selection.extend(from, to))
    expect(ticked()).toEqual(['p5', 'p6', 'p7'])
    act(() => selection.extend(7, 6))
    expect(ticked()).toEqual(['p5', 'p6'])
    for (const [from, to] of [
      [6, 5],
      [5, 4],
    ] as const)
      act(() => selection.extend(from, to))
    expect(ticked()).toEqual(['p4', 'p5'])
  })

  it('begin a new range where the focus has gone elsewhere meanwhile', () => {
    for (const index of [8, 2]) act(() => selection.toggle(index, false))
    for (const [from, to] of [
      [10, 9],
      [9, 8],
      [8, 7],
    ] as const)
      act(() => selection.extend(from, to))
    expect(ticked()).toEqual(['p2', 'p7', 'p8', 'p9', 'p10'])
    act(() => selection.extend(7, 8))
    expect(ticked()).toEqual(['p2', 'p8', 'p9', 'p10'])
  })

  it('go along with the focus from the end of a range that was clicked', () => {
    act(() => selection.toggle(5, false))
    act(() => selection.toggle(8, true))
    act(() => selection.extend(8, 7))
    expect(ticked()).toEqual(['p5', 'p6', 'p7'])
  })

  it('cover all rows that are shown, and none that a filter of the desk leaves out', () => {
    act(() => selection.selectAll())
    expect(selection.count).toBe(100)
    act(() => selection.clear())
    stage.show({ rules: { name: 'few', matches: ({ reference }) => reference?.endsWith('7') ?? false } })
    act(() => selection.selectAll())
    expect(ticked()).toEqual(['p7', 'p17', 'p27', 'p37', 'p47', 'p57', 'p67', 'p77', 'p87', 'p97'])
    expect(rows()).toHaveLength(10)
  })

  it('cover a range of what is shown', () => {
    stage.show({ rules: { name: 'few', matches: ({ reference }) => reference?.endsWith('7') ?? false } })
    act(() => selection.toggle(0, false))
    act(() => selection.toggle(2, true))
    expect(ticked()).toEqual(['p7', 'p17', 'p27'])
  })

  it('cover nothing where there is nothing', () => {
    stage.show({ rules: { name: 'none', matches: () => false } })
    act(() => selection.selectAll())
    expect(selection.count).toBe(0)
  })
})

describe('another view', () => {
  it('in another order keeps the ticks, with rows that have not come yet as they were', async () => {
    await stage.open(honest(500), { visit: 'plain', seen: 350 })
    await waitUntil(() => stage.list.size === 500)
    act(() => selection.toggle(340, false))
    act(() => selection.toggle(3, false))
    stage.show({ visit: 'sorted', seen: null })
    await stage.settle()
    expect([stage.list.size, ticked(), rows()]).toEqual([100, ['p3', 'p340'], ['p340', 'p3']])
    // The range continues from the earlier anchor.
    act(() => selection.toggle(5, true))
    expect(ticked()).toEqual(['p3', 'p4', 'p5', 'p340'])
  })

  it('in another order brings back a cleared selection whole, with the rows that are not there', async () => {
    await stage.open(honest(500), { visit: 'plain', seen: 350 })
    await waitUntil(() => stage.list.size === 500)
    act(() => selection.toggle(340, false))
    act(() => selection.toggle(3, false))
    stage.show({ visit: 'sorted', seen: null })
    await stage.settle()
    takePendingToasts()
    act(() => selection.clear())
    expect(selection.count).toBe(0)
    const [toast] = takePendingToasts()
    expect(toast?.title).toBe('2 payments deselected')
    act(() => toast?.undo?.())
    expect([rows(), selection.missing]).toEqual([['p340', 'p3'], 0])
  })

  it('can bring back the latest of several cleared selections, and says no more than that', async () => {
    await stage.open(honest(100), { visit: 'plain' })
    await stage.settle()
    takePendingToasts()
    for (const _ of [1, 2]) {
      act(() => selection.selectAll())
      act(() => selection.clear())
    }
    const toasts = takePendingToasts()
    expect(toasts.map(({ title }) => title)).toEqual(['100 payments deselected'])
    act(() => toasts[0]?.undo?.())
    expect(selection.count).toBe(100)
  })

  it('says that all are ticked only where each row that is shown is', async () => {
    await stage.open(honest(300), { visit: 'plain', seen: 300 })
    await waitUntil(() => stage.list.size === 300)
    act(() => selection.toggle(100, false))
    act(() => selection.toggle(299, true))
    expect([selection.count, selection.isAll]).toEqual([200, false])
    stage.show({ visit: 'sorted', seen: null })
    await stage.settle()
    expect([stage.list.size, selection.count, selection.isAll]).toEqual([100, 200, false])
    act(() => selection.selectAll())
    expect([selection.count, selection.isAll]).toEqual([300, true])
    act(() => selection.clear())
    expect(selection.isAll).toBe(false)
  })

  it('knows a ticked row as it is now, once it is there', async () => {
    let status = 'Pending'
    await stage.open(() => ({ body: { results: [{ id: 'p1', status }], hasMore: false } }), { visit: 'plain' })
    await stage.settle()
    act(() => selection.toggle(0, false))
    status = 'Settled'
    stage.show({ visit: 'sorted' })
    expect(selection.rows.map((row) => row.status)).toEqual(['Pending'])
    await stage.settle()
    expect(selection.rows.map((row) => row.status)).toEqual(['Settled'])
  })

  it('with other filters drops them and says so, and finds them where they were on the way back', async () => {
    await stage.open(honest(100), { visit: 'plain' })
    await stage.settle()
    for (const index of [3, 4]) act(() => selection.toggle(index, false))
    takePendingToasts()
    stage.show({ visit: 'filtered', scope: 'some' })
    await stage.settle()
    expect([selection.count, rows()]).toEqual([0, []])
    expect(takePendingToasts().map(({ title }) => title)).toEqual(['2 payments deselected'])
    act(() => selection.toggle(9, false))
    stage.show({ visit: 'plain', scope: 'all' })
    expect([ticked(), rows()]).toEqual([
      ['p3', 'p4'],
      ['p3', 'p4'],
    ])
    expect(takePendingToasts()).toEqual([])
    stage.show({ visit: 'filtered', scope: 'some' })
    expect(ticked()).toEqual(['p9'])
  })

  it('with other filters begins ranges anew', async () => {
    await stage.open(honest(100), { visit: 'plain' })
    await stage.settle()
    act(() => selection.toggle(3, false))
    stage.show({ visit: 'filtered', scope: 'some' })
    await stage.settle()
    act(() => selection.toggle(7, true))
    expect(ticked()).toEqual(['p7'])
    act(() => selection.clear())
    stage.show({ visit: 'plain', scope: 'all' })
    stage.show({ visit: 'filtered', scope: 'some' })
    act(() => selection.extend(20, 21))
    expect(ticked()).toEqual(['p20', 'p21'])
  })

  it('tells the rows anew once they have come, and how many have not', async () => {
    await stage.open(honest(500), { visit: 'plain', seen: 350 })
    await waitUntil(() => stage.list.size === 500)
    act(() => selection.toggle(340, false))
    act(() => selection.toggle(3, false))
    stage.leave()
    // After returning in another sorting the rows are not known yet.
    stage.show({ visit: 'sorted', seen: null })
    act(() => selection.toggle(0, false))
    stage.leave()
    stage.show({ visit: 'plain', seen: null })
    const before = selection.rows
    expect(rows().length + selection.missing).toBe(selection.count)
    await stage.settle()
    expect(rows()).toEqual(['p340', 'p3'])
    expect(selection.missing).toBe(0)
    stage.client.clear()
    stage.leave()
    stage.show({ visit: 'plain', seen: null })
    expect([selection.count, rows(), selection.missing]).toEqual([2, [], 2])
    const empty = selection.rows
    await stage.settle()
    // The list restarts with its first page.
    expect([rows(), selection.missing]).toEqual([['p3'], 1])
    expect([selection.rows === empty, before === empty]).toEqual([false, false])
  })

  it('keeps them for who leaves the page and comes back', async () => {
    await stage.open(honest(100), { visit: 'plain' })
    await stage.settle()
    act(() => selection.toggle(3, false))
    stage.leave()
    stage.show({})
    expect([ticked(), rows()]).toEqual([['p3'], ['p3']])
  })

  it('ticks no other row in the place of one without an id, which nobody could recognise', async () => {
    const results = [...makePayments(0, 2).map(({ reference }) => ({ reference })), { id: 'a' }]
    await stage.open(() => ({ body: { results, hasMore: false } }), { visit: 'plain' })
    await stage.settle()
    act(() => selection.toggle(0, false))
    act(() => selection.toggle(1, true))
    expect(selection.count).toBe(2)
    stage.show({ visit: 'sorted' })
    await stage.settle()
    for (const index of [0, 1, 2]) expect(selection.state[stage.list.keyAt(index)]).toBeUndefined()
  })
})
