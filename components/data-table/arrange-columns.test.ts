import { describe, expect, it } from 'vitest'
import { arrangeColumns, pickColumns } from './arrange-columns'
import type { Column } from './define-table'
import { writeLayout } from './write-layout'

const cell = () => null
const columns: Column<object>[] = [
  { id: 'reference', header: 'Reference', width: 'minmax(8rem, 1fr)', card: 'line', cell },
  { id: 'amount', header: 'Amount', width: '8rem', card: 'title-end', cell },
  { id: 'mode', header: 'Mode', width: '5rem', from: 'wide', card: 'none', cell },
  { id: 'handle', header: 'Handle', width: '13rem', from: 'chosen', card: 'none', cell },
]
const arrange = (layout: string | null) =>
  arrangeColumns(columns, layout).map(({ id, width, from }) => [id, width, from] as const)

describe('the columns of a list', () => {
  it('are those it comes with where nobody chose', () => {
    expect(arrangeColumns(columns, null)).toEqual(columns.slice(0, 3))
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
      expect(arrangeColumns(columns, layout)).toEqual(columns.slice(0, 3))
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
    for (const layout of ['mode.handle-320.reference', 'reference-101', 'amount.mode'])
      expect(
        writeLayout(
          arrangeColumns(columns, layout).filter(({ from }) => from !== 'card'),
          columns,
        ),
      ).toBe(layout)
  })
})

describe('the columns in sight', () => {
  const usual = arrangeColumns(columns, null)
  const wanted = arrangeColumns(columns, 'reference')
  const idsAt = (all: readonly Column<object>[], stage: number | 'cards') => pickColumns(all, stage).map(({ id }) => id)

  it('are more in a wider list', () => {
    expect(idsAt(usual, 0)).toEqual(['reference', 'amount'])
    expect(idsAt(usual, 1)).toEqual(['reference', 'amount', 'mode'])
    expect(idsAt(usual, 3)).toEqual(['reference', 'amount', 'mode'])
  })

  it('are those of the card on a phone, even those that its reader wants no column of', () => {
    expect(idsAt(usual, 'cards')).toEqual(['reference', 'amount'])
    expect(idsAt(wanted, 'cards')).toEqual(['reference', 'amount'])
    expect(idsAt(wanted, 3)).toEqual(['reference'])
  })
})
