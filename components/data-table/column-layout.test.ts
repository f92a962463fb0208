import { describe, expect, it } from 'vitest'
import {
  arrangeColumns,
  columnId,
  columnState,
  getVisibleColumns,
  describeColumns,
  formatLayout,
  getTrackStyles,
} from './column-layout'
import { listColumns } from './list-definition'

type Row = { reference: string; amount: number; test: boolean; handle: string }

const column = listColumns<Row>()
const columns = column.columns([
  column.accessor('reference', { header: 'Reference', meta: { width: 'minmax(8rem, 1fr)', cardSlot: 'body' } }),
  column.accessor('amount', { header: 'Amount', meta: { width: '8rem', align: 'end', cardSlot: 'title-end' } }),
  column.accessor(({ test }) => test, {
    id: 'mode',
    header: 'Mode',
    meta: { width: '5rem', from: 'wide' },
  }),
  column.accessor('handle', { header: 'Handle', meta: { width: '13rem', from: 'chosen' } }),
])

const usual = [
  ['reference', 'minmax(8rem, 1fr)', undefined],
  ['amount', '8rem', undefined],
  ['mode', '5rem', 'wide'],
]
const arrange = (layout: string | null) =>
  arrangeColumns(columns, layout).map(({ id, width, from }) => [id, width, from] as const)

describe('the columns of a list', () => {
  it('have the ids that Table gives them', () => {
    expect(columns.map(columnId)).toEqual(['reference', 'amount', 'mode', 'handle'])
  })

  it('are those it comes with where nobody chose', () => {
    expect(arrange(null)).toEqual(usual)
  })

  it('have the name, the side and the place on a card that they were declared with', () => {
    expect(arrangeColumns(columns, 'amount')[0]).toEqual({
      id: 'amount',
      label: 'Amount',
      width: '8rem',
      usualWidth: '8rem',
      from: undefined,
      cardSlot: 'title-end',
      align: 'end',
      isSortable: false,
    })
  })

  it('are drawn where the list is wide enough for them; all of them before its width is known', () => {
    const at = (stage: number | null) => getVisibleColumns(arrangeColumns(columns, null), stage).map(({ id }) => id)
    expect(at(null)).toEqual(['reference', 'amount', 'mode'])
    expect(at(0)).toEqual(['reference', 'amount'])
    expect(at(1)).toEqual(['reference', 'amount', 'mode'])
    expect(at(-1)).toEqual(['reference', 'amount'])
    const all = arrangeColumns(columns, null)
    expect(getVisibleColumns(all, 1)).toBe(all)
  })

  it('are drawn on a desk where the reader wants them, on a card where it has a place for them or they sort', () => {
    const arranged = arrangeColumns(columns, 'mode.amount')
    expect(getVisibleColumns(arranged, 0).map(({ id }) => id)).toEqual(['mode', 'amount'])
    expect(getVisibleColumns(arranged, -1).map(({ id }) => id)).toEqual(['amount', 'reference'])
    const sorting = arranged.map((column) => ({ ...column, isSortable: true }))
    expect(getVisibleColumns(sorting, -1).map(({ id }) => id)).toEqual(['mode', 'amount', 'reference'])
  })

  it('are all to choose from', () => {
    expect(describeColumns(columns).map(({ id, label }) => [id, label])).toEqual([
      ['reference', 'Reference'],
      ['amount', 'Amount'],
      ['mode', 'Mode'],
      ['handle', 'Handle'],
    ])
  })

  it('are the chosen ones in their order, whatever the width of the screen; a card still shows the others', () => {
    expect(arrange('mode.handle-320.reference')).toEqual([
      ['mode', '5rem', undefined],
      ['handle', '20rem', undefined],
      ['reference', 'minmax(8rem, 1fr)', undefined],
      ['amount', '8rem', 'card'],
    ])
  })

  it.each(['', 'zork', '.', '-', 'zork-120.__proto__'])(
    'are the usual ones where an address knows none: %s',
    (layout) => {
      expect(arrange(layout)).toEqual(usual)
    },
  )

  it('stand once each, and are never too narrow to find or too wide to leave', () => {
    expect(arrange('amount-1.mode-99999.amount-200.handle-x').slice(0, 3)).toEqual([
      ['amount', '12.5rem', undefined],
      ['mode', '60rem', undefined],
      ['handle', '13rem', undefined],
    ])
    expect(arrange('amount-1')[0]).toEqual(['amount', '3rem', undefined])
  })

  it('are written as they are read, with the widths that were chosen alone', () => {
    for (const layout of ['mode.handle-320.reference', 'reference-101', 'amount.mode', 'amount.mode_-90.reference']) {
      const chosen = arrangeColumns(columns, layout).filter(({ from }) => from !== 'card')
      expect(formatLayout(chosen)).toBe(layout)
    }
  })
})

it('Table shows the columns in their order and no other, those of the card with them', () => {
  const { columnOrder, columnVisibility } = columnState(columns, arrangeColumns(columns, 'mode.reference'))
  expect(columnOrder).toEqual(['mode', 'reference', 'amount'])
  expect(columnVisibility).toEqual({ reference: true, amount: true, mode: true, handle: false })
})

describe('the tracks of the grid', () => {
  const tracks = (layout: string | null, selects = false) => getTrackStyles(arrangeColumns(columns, layout), selects)

  it('are more in a wider list', () => {
    const given = tracks(null)
    expect(given['--dt-columns-0']).toBe('minmax(8rem, 1fr) 8rem')
    for (const stage of [1, 2, 3] as const) expect(given[`--dt-columns-${stage}`]).toBe('minmax(8rem, 1fr) 8rem 5rem')
  })

  it('have room for the ticks, and their least width together', () => {
    const given = tracks(null, true)
    expect(given['--dt-columns-1']).toBe('2.25rem minmax(8rem, 1fr) 8rem 5rem')
    expect([given['--dt-width-0'], given['--dt-width-1']]).toEqual([
      expect.stringContaining('calc(18.25rem '),
      expect.stringContaining('calc(23.25rem '),
    ])
  })

  it('have the mark of test payments where the mode is not shown', () => {
    const marks = (layout: string | null) => [0, 1, 2, 3].map((stage) => tracks(layout)[`--dt-test-${stage}`])
    expect(marks(null)).toEqual(['inline-flex', 'none', 'none', 'none'])
    expect(marks('mode.reference')).toEqual(['none', 'none', 'none', 'none'])
    expect(marks('reference')).toEqual(['inline-flex', 'inline-flex', 'inline-flex', 'inline-flex'])
  })

  it('have none for what stands on the card alone', () => {
    expect(tracks('reference')['--dt-columns-3']).toBe('minmax(8rem, 1fr)')
  })
})
