import { act, fireEvent, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { patchRows } from '@/lib/client/list-queries'
import {
  grid,
  ids,
  openGrid,
  press,
  readFocus,
  rowOf,
  rows,
  scrollTo,
  setGridForEach,
  stage,
  state,
} from './testing/open-grid'
import { honest, pass, waitUntil } from '../infinite-list/testing/open-list'

const indexes = () => rows().map((row) => Number(row.getAttribute('aria-rowindex')) - 2)

setGridForEach()

describe('the rows of a grid', () => {
  it('are those in sight and some around, with room for all', async () => {
    await openGrid()
    expect(indexes()[0]).toBe(0)
    expect(rows().length).toBeGreaterThan(10)
    expect(rows().length).toBeLessThan(40)
    expect(rows()[0]?.parentElement?.style.height).toBe('calc(300 * var(--dt-row))')
    expect(rows().map(({ style }) => style.top)).toEqual(indexes().map((index) => `calc(${index} * var(--dt-row))`))
  })

  it('stand in the order of the list, each with its own words, wherever one scrolls', async () => {
    await openGrid()
    for (const top of [44 * 100, 44 * 40, 44 * 290]) {
      await scrollTo(top)
      expect(indexes()).toContain(top / 44)
      expect(indexes()).toEqual(indexes().toSorted((a, b) => a - b))
      for (const row of rows()) expect(row.textContent).toContain(`PMT-${row.dataset.rowId?.slice(1)}`)
    }
  })

  it('are named by their first cells, without the controls that repeat the reference', async () => {
    await openGrid()
    const first = rowOf('p3')
    expect(within(grid()).getAllByRole('row', { name: /^PMT-3 / })).toEqual([first])
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('are never shown in the elements of others', async () => {
    await openGrid()
    const row = rowOf('p3')
    await scrollTo(44 * 100)
    expect(row.isConnected).toBe(false)
    expect(row.dataset.rowId).toBe('p3')
    await scrollTo(44 * 2)
    expect(rowOf('p3').textContent).toContain('PMT-3')
  })

  it('follow what is known of them, and go with what no longer matches', async () => {
    await openGrid()
    const payment = stage.list.get('p2')
    if (!payment) throw new Error('p2 is not loaded.')
    const cancelled = { ...payment, status: 'Cancelled' }
    patchRows(stage.client, 'listPayments', [cancelled])
    await pass(20)
    expect(rowOf('p2').dataset.status).toBe('Cancelled')
    expect(rowOf('p2').textContent).toContain('Cancelled')
    stage.show({ rules: { name: 'few', matches: ({ status }) => status === 'Cancelled' } })
    expect([ids(), indexes()]).toEqual([['p2'], [0]])
  })

  it('say which of how many they are, and where their cells stand', async () => {
    await openGrid()
    expect(grid().getAttribute('aria-rowcount')).toBe('301')
    const cells = within(rowOf('p0')).getAllByRole('gridcell')
    expect(cells.map((cell) => Number(cell.getAttribute('aria-colindex')))).toEqual(cells.map((_, at) => at + 1))
    expect(grid().getAttribute('aria-colcount')).toBe(String(cells.length))
    const heads = within(grid()).getAllByRole('columnheader')
    expect(heads.map((head) => Number(head.getAttribute('aria-colindex')))).toEqual(cells.map((_, at) => at + 1))
  })

  it('have the columns that were chosen, in their order', async () => {
    state.layout = 'amount.reference'
    await openGrid()
    const heads = within(grid()).getAllByRole('columnheader')
    expect(heads.map(({ dataset }) => dataset.column).slice(0, 3)).toEqual([undefined, 'amount', 'reference'])
    expect(within(rowOf('p0')).getAllByRole('gridcell')[2]?.textContent).toContain('PMT-0')
  })

  it('do not say how many there are before the list was read whole', async () => {
    await stage.open(honest(1_000), { visit: 'plain' })
    await waitUntil(() => stage.list.size >= 200 && stage.list.pagination.kind === 'more')
    expect(grid().getAttribute('aria-rowcount')).toBe('-1')
  })
})

describe('the focus', () => {
  it('stays on its row, in its place, however far one scrolls', async () => {
    await openGrid()
    act(() => rowOf('p3').focus())
    const focused = rowOf('p3')
    for (const top of [44 * 60, 44 * 200]) await scrollTo(top)
    expect(document.activeElement).toBe(focused)
    expect(indexes()[0]).toBe(3)
    expect(indexes()).toContain(200)
    expect(focused.tabIndex).toBe(0)
    // The keys continue from it.
    press('ArrowDown')
    await pass(20)
    expect(readFocus()).toBe('p4')
  })

  it('is not lost when its row goes', async () => {
    await openGrid()
    act(() => rowOf('p3').focus())
    stage.show({ rules: { name: 'others', matches: ({ id }) => id !== 'p3' } })
    expect(grid().contains(document.activeElement)).toBe(true)
  })

  it('goes on from the place of a row that has left the list', async () => {
    await openGrid()
    act(() => rowOf('p5').focus())
    act(() => rowOf('p5').blur())
    stage.show({ rules: { name: 'others', matches: ({ id }) => id !== 'p5' } })
    fireEvent.keyDown(grid(), { key: 'j' })
    await waitUntil(() => rowOf('p6').tabIndex === 0)
    // The focus is lost with its row.
    await scrollTo(0)
    stage.show({ rules: { name: 'fewer', matches: ({ id }) => id !== 'p5' && id !== 'p6' } })
    await waitUntil(() => rowOf('p7').tabIndex === 0)
    expect(grid().tabIndex).toBe(-1)
  })

  it('has one tab stop among the rows, which keys move', async () => {
    await openGrid()
    expect(grid().tabIndex).toBe(0)
    act(() => rowOf('p0').focus())
    const steps = [
      ['j', 'p1'],
      ['ArrowDown', 'p2'],
      ['k', 'p1'],
      ['End', 'p299'],
      ['PageUp', 'p291'],
      ['Home', 'p0'],
      ['PageDown', 'p8'],
    ]
    for (const [key = '', id] of steps) {
      press(key)
      await waitUntil(() => readFocus() === id)
      expect([...rows(), grid()].filter(({ tabIndex }) => tabIndex === 0).map(({ dataset }) => dataset.rowId)).toEqual([
        id,
      ])
    }
  })

  it('goes to either end with Ctrl too', async () => {
    await openGrid()
    act(() => rowOf('p3').focus())
    press('End', { ctrlKey: true })
    await waitUntil(() => readFocus() === 'p299')
    press('Home', { ctrlKey: true })
    await waitUntil(() => readFocus() === 'p0')
    press('j', { ctrlKey: true })
    expect(readFocus()).toBe('p0')
  })

  it('goes on from the rows in sight where it stands on the list itself', async () => {
    await openGrid()
    await scrollTo(44 * 100)
    act(() => grid().focus())
    press('PageDown')
    await waitUntil(() => Number(readFocus()?.slice(1)) > 100)
    expect(Number(readFocus()?.slice(1))).toBeLessThan(115)
  })

  it('is in sight on a page that scrolls, by keys only', async () => {
    const shown: (string | undefined)[] = []
    Element.prototype.scrollIntoView = function scrollIntoView(this: HTMLElement) {
      shown.push(this.dataset.rowId ?? this.dataset.column)
    }
    await openGrid()
    act(() => rowOf('p0').focus())
    press('ArrowDown')
    await waitUntil(() => readFocus() === 'p1')
    expect(shown).toEqual(['p1'])
    await scrollTo(44 * 100)
    // Its row goes, and the focus to another: the reader has not moved.
    stage.show({ rules: { name: 'others', matches: ({ id }) => id !== 'p1' } })
    expect(shown).toEqual(['p1'])
    press('Home')
    await waitUntil(() => readFocus() === 'p0')
    press('ArrowUp')
    expect(shown).toEqual(['p1', 'p0', 'amount'])
  })

  it('is where it was for who comes back, and at the top of another view', async () => {
    await openGrid()
    act(() => rowOf('p5').focus())
    await scrollTo(44 * 4)
    stage.show({ visit: 'other' })
    await waitUntil(() => stage.list.size === 300)
    expect([grid().scrollTop, rows().filter(({ tabIndex }) => tabIndex === 0)]).toEqual([0, []])
    stage.show({ visit: 'plain' })
    expect([grid().scrollTop, rowOf('p5').tabIndex]).toEqual([44 * 4, 0])
  })

  it('begins in the rows of the view that one goes back to, where its own row is not among them', async () => {
    await openGrid()
    vi.spyOn(grid(), 'matches').mockImplementation((selectors) => selectors === ':focus-visible')
    stage.show({ visit: 'other' })
    await waitUntil(() => stage.list.size === 300)
    act(() => rowOf('p0').focus())
    press('End')
    await waitUntil(() => readFocus() === 'p299')
    stage.show({ visit: 'plain' })
    await pass(20)
    expect(readFocus()).toBe('p0')
  })
})
