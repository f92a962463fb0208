import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
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
import { waitUntil } from '../infinite-list/testing/open-list'

setGridForEach()

describe('opening a row', () => {
  it('takes a plain click, in place of following the link of the row, or Enter', async () => {
    await openGrid()
    const link = within(rowOf('p4')).getByRole('link', { name: 'PMT-4' })
    expect(link.getAttribute('href')).toBe('/payments/p4')
    const isFollowed = fireEvent.click(link)
    expect(isFollowed).toBe(false)
    expect(state.opened).toEqual(['p4'])
    expect(rowOf('p4').getAttribute('aria-current')).toBe('true')
    act(() => rowOf('p6').focus())
    press('Enter')
    expect(state.opened).toEqual(['p4', 'p6'])
  })

  it.each(['ctrlKey', 'metaKey', 'shiftKey'])('is left to the browser for a click with %s', async (key) => {
    await openGrid()
    const link = within(rowOf('p4')).getByRole('link', { name: 'PMT-4' })
    let isPrevented = true
    const look = (event: Event) => {
      isPrevented = event.defaultPrevented
      // jsdom does not navigate.
      event.preventDefault()
    }
    document.addEventListener('click', look, { once: true })
    fireEvent.click(link, { [key]: true })
    expect([isPrevented, state.opened]).toEqual([false, []])
  })

  it('is not what marking a text does', async () => {
    await openGrid()
    getSelection()?.selectAllChildren(rowOf('p4'))
    const cell = within(rowOf('p4')).getAllByRole('gridcell')[2] ?? document.body
    fireEvent(cell, new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))
    expect(state.opened).toEqual([])
    getSelection()?.removeAllRanges()
  })
})

describe('ticking', () => {
  const tickCell = (id: string) => within(rowOf(id)).getByRole('checkbox')
  const ticked = () =>
    rows()
      .filter((row) => row.getAttribute('aria-selected') === 'true')
      .map(({ dataset }) => dataset.rowId)

  it('takes a click on the cell, with Shift from the row before, and opens nothing', async () => {
    await openGrid()
    fireEvent.click(tickCell('p2'))
    fireEvent.click(tickCell('p5'), { shiftKey: true })
    expect(ticked()).toEqual(['p2', 'p3', 'p4', 'p5'])
    expect(tickCell('p3')).toHaveProperty('checked', true)
    fireEvent.click(tickCell('p3'))
    expect([ticked(), state.opened]).toEqual([['p2', 'p4', 'p5'], []])
  })

  it('takes keys: x and Space, Shift with the arrows, Escape to let go', async () => {
    await openGrid()
    act(() => rowOf('p2').focus())
    press('x')
    expect(ticked()).toEqual(['p2'])
    press(' ')
    expect(ticked()).toEqual([])
    press('ArrowDown', { shiftKey: true })
    await waitUntil(() => readFocus() === 'p3')
    expect(ticked()).toEqual(['p2', 'p3'])
    // A panel beside the list listens at the document.
    let heard = 0
    const listen = () => (heard += 1)
    document.addEventListener('keydown', listen)
    press('Escape')
    expect([ticked(), heard]).toEqual([[], 0])
    press('Escape')
    document.removeEventListener('keydown', listen)
    expect(heard).toBe(1)
  })

  it('takes all rows, also those that are out of sight, and says when some are', async () => {
    await openGrid()
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: /all/iu })
    fireEvent.click(all)
    expect([state.selection?.count, all.checked]).toEqual([300, true])
    fireEvent.click(tickCell('p2'))
    expect([state.selection?.count, all.checked, all.indeterminate]).toEqual([299, false, true])
    await scrollTo(44 * 200)
    // The row clicked last keeps the tab stop.
    expect(ticked()).toEqual(ids().filter((id) => id !== 'p2'))
  })
})

describe('the header', () => {
  it('sorts by a column that can be sorted: up, down, not at all', async () => {
    await openGrid()
    const head = () => within(grid()).getByRole('columnheader', { name: /Amount/u })
    const expected = [
      [{ field: 'amount', direction: 'asc' }, 'ascending'],
      [{ field: 'amount', direction: 'desc' }, 'descending'],
      [null, null],
    ] as const
    for (const [next, sort] of expected) {
      fireEvent.click(within(head()).getByRole('button'))
      expect(state.order).toEqual(next)
      stage.show({})
      expect(head().getAttribute('aria-sort')).toBe(sort)
    }
    expect(within(grid()).getByRole('columnheader', { name: 'Reference' }).querySelector('button')).toBeNull()
  })
})
