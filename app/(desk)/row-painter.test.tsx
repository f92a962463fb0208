// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { customersTable } from './customers/customers-table'
import { RowList } from '@/lib/browser/row-list'
import { endpoints } from '@/lib/contract/endpoints'
import { asListPage, type ListRow } from '@/lib/contract/list-page'
import { drawRow } from '@/components/data-table/draw-row'
import { readRowFace, RowPainter, type RowsFace } from '@/components/data-table/row-painter'
import { cellFacts } from '@/components/data-table/testing/render-rows'

type Customers = 'listCustomers'

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

function readPage(from: number, to: number, nextOffset?: string) {
  const results = range(from, to).map((at) => ({ id: `c${at}`, handle: `h${at}`, name: `Name ${at}`, mandates: [] }))
  const hasMore = nextOffset !== undefined
  return asListPage('listCustomers', endpoints.listCustomers.reply.parse({ results, hasMore, nextOffset }))
}

function open(count = 100, page = readPage(0, count), next = page): RowsFace<Customers> {
  const list = new RowList<ListRow<Customers>>({ idOf: ({ id }) => id, read: () => Promise.resolve(next) }, { page })
  const { columns } = customersTable
  const inSight = columns.slice(0, 4)
  const common = { facts: cellFacts, rowHeight: 44, selects: true, focusKey: null, openKey: null }
  return { table: customersTable, list, columns, inSight, ...common }
}

function drawAt(face: RowsFace<Customers>, index: number) {
  const row = readRowFace(face, index)
  if (!row) throw new Error(`There is no row ${index}.`)
  return drawRow(row)
}

let root = document.createElement('div')
const rows = () => [...root.children] as HTMLElement[]
const indexes = () => rows().map((row) => Number(row.getAttribute('aria-rowindex')) - 2)
const rowOf = (index: number) => root.querySelector<HTMLElement>(`[data-row-id=c${index}]`)

/** Marks the text of an element, or none. It is told at once: else only in a later task. */
function mark(element: HTMLElement | null) {
  if (element) getSelection()?.selectAllChildren(element)
  else getSelection()?.removeAllRanges()
  document.dispatchEvent(new Event('selectionchange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  root = document.createElement('div')
  document.body.replaceChildren(root)
})

afterEach(() => void vi.useRealTimers())

describe('RowPainter', () => {
  it('draws the rows of the window, and as much room as all take', () => {
    const painter = new RowPainter(root, open())
    painter.move({ start: 0, end: 20 }, false)
    expect(indexes()).toEqual(range(0, 20))
    expect(root.style.height).toBe('calc(var(--dt-row) * 100)')
    expect(rowOf(7)?.textContent).toContain('Name 7')
    expect(rowOf(7)?.style.top).toBe('308px')
  })

  it('shows coming rows in the elements of leaving ones, in order once the list is at rest', () => {
    const painter = new RowPainter(root, open())
    painter.move({ start: 0, end: 20 }, false)
    const elements = new Set(rows())
    for (let start = 1; start <= 30; start += 1) {
      painter.move({ start, end: start + 20 }, true)
      vi.advanceTimersByTime(16)
      expect(indexes().toSorted((a, b) => a - b)).toEqual(range(start, start + 20))
    }
    expect(rows().every((row) => elements.has(row))).toBe(true)
    expect(indexes()).not.toEqual(range(30, 50))
    vi.advanceTimersByTime(400)
    expect(indexes()).toEqual(range(30, 50))
    for (const row of rows()) expect(row.textContent).toContain(`Name ${Number(row.getAttribute('aria-rowindex')) - 2}`)
  })

  it('never shows another row where the focus is: the element goes', () => {
    const painter = new RowPainter(root, open())
    painter.move({ start: 0, end: 20 }, false)
    const focused = rowOf(3)
    focused?.focus()
    painter.move({ start: 50, end: 70 }, true)
    expect(focused?.isConnected).toBe(false)
    expect(focused?.dataset.rowId).toBe('c3')
    expect(document.activeElement).toBe(document.body)
  })

  it('keeps the row with the tab stop, with its focus, through a scroll and the order after it', () => {
    const face = open()
    const painter = new RowPainter(root, face)
    painter.move({ start: 0, end: 20 }, false)
    painter.show({ ...face, focusKey: 'c3' })
    const focused = rowOf(3)
    focused?.focus()
    for (let start = 1; start <= 40; start += 1) painter.move({ start, end: start + 20 }, true)
    vi.advanceTimersByTime(1_000)
    expect(indexes()).toEqual([3, ...range(40, 60)])
    expect(document.activeElement).toBe(focused)
    expect(focused?.tabIndex).toBe(0)
  })

  it('leaves marked text where it was', () => {
    const painter = new RowPainter(root, open())
    painter.move({ start: 0, end: 20 }, false)
    const marked = rowOf(3)
    mark(marked)
    painter.move({ start: 50, end: 70 }, true)
    expect(marked?.textContent).toContain('Name 3')
    expect(marked?.isConnected).toBe(false)
    mark(null)
  })

  it('moves no row while text is marked in one', () => {
    const painter = new RowPainter(root, open())
    painter.move({ start: 0, end: 20 }, false)
    mark(rowOf(15))
    painter.move({ start: 12, end: 32 }, true)
    vi.advanceTimersByTime(400)
    expect(getSelection()?.toString()).toContain('Name 15')
    mark(null)
    painter.refresh()
    expect(indexes()).toEqual(range(12, 32))
  })

  it('leads the focus to the row when what had it in there is gone', () => {
    const face = open()
    const painter = new RowPainter(root, face)
    painter.move({ start: 0, end: 20 }, false)
    rowOf(3)?.querySelector<HTMLElement>('.dt-copy')?.focus()
    expect(document.activeElement).not.toBe(document.body)
    painter.show({ ...face, inSight: face.inSight.slice(0, 2) })
    expect(document.activeElement).toBe(rowOf(3))
  })

  it('takes the rows of the server as they are, and draws one anew where it changes', () => {
    const face = open()
    const whole = { ...face, inSight: face.columns, rowHeight: null }
    const html = range(0, 10).map((index) => renderToStaticMarkup(drawAt(whole, index)))
    root.innerHTML = `${html.join('')}<span hidden></span><noscript>&lt;div role="row"&gt;</noscript>`
    const served = rows().slice(0, 10)
    const before = served.map((row) => row.outerHTML)
    const painter = new RowPainter(root, { ...face, rowHeight: null })
    painter.move({ start: 0, end: 10 }, false)
    painter.show(face)
    expect(rows()).toEqual(served)
    expect(served.map((row) => row.outerHTML)).toEqual(before)

    face.list.selection.tickAt(4, false)
    painter.refresh()
    expect(rows()).toEqual(served)
    expect(served[4]?.ariaSelected ?? served[4]?.getAttribute('aria-selected')).toBe('true')
    expect(served[4]?.querySelector('input')?.checked).toBe(true)
    expect(served[4]?.style.top).toBe('calc(var(--dt-row) * 4)')
    // All columns: the style sheet hides those that have no room.
    expect(served[4]?.children).toHaveLength(face.columns.length + 1)
    painter.move({ start: 20, end: 30 }, false)
    expect(rows()[0]?.children).toHaveLength(face.inSight.length + 1)
  })

  it('leaves rows of the server that the list has not got yet, with their room', async () => {
    const face = open(100, readPage(0, 100, '100'), readPage(100, 200))
    const whole = { ...face, inSight: face.columns, rowHeight: null, list: open(120).list }
    root.innerHTML = range(80, 120)
      .map((index) => renderToStaticMarkup(drawAt(whole, index)))
      .join('')
    root.insertAdjacentHTML('beforeend', '<template></template>')
    const served = rows().slice(0, 40)
    const painter = new RowPainter(root, face)
    painter.move({ start: 90, end: 110 }, false)
    expect(indexes()).toEqual(range(90, 120))
    expect(root.style.height).toBe('calc(var(--dt-row) * 120)')

    // What they are drawn from may change meanwhile.
    painter.show({ ...face, openKey: 'c105' })
    const close = face.list.open()
    await vi.waitFor(() => expect(face.list.size).toBe(200))
    close()
    painter.refresh()
    expect(rowOf(105)?.getAttribute('aria-current')).toBe('true')
    expect(indexes()).toEqual(range(90, 110))
    expect(rows()).toEqual(served.slice(10, 30))
    expect(root.style.height).toBe('calc(var(--dt-row) * 200)')
  })

  it('takes away rows of the server that the list ends before, or that are others', () => {
    const face = open(100)
    const whole = { ...face, inSight: face.columns, rowHeight: null, list: open(120).list }
    root.innerHTML = range(80, 120)
      .map((index) => renderToStaticMarkup(drawAt(whole, index)))
      .join('')
    rowOf(85)?.setAttribute('data-row-id', 'other')
    const painter = new RowPainter(root, face)
    expect(indexes()).toEqual(range(80, 100).filter((index) => index !== 85))
    painter.move({ start: 80, end: 100 }, false)
    expect(indexes()).toEqual(range(80, 100))
    expect(rowOf(85)?.textContent).toContain('Name 85')
  })

  it('follows the list: rows that are gone go, those that changed are drawn anew', () => {
    const face = open(30)
    const painter = new RowPainter(root, face)
    painter.move({ start: 0, end: 20 }, false)
    const row = face.list.rowAt(2)
    if (row) face.list.patch({ ...row, name: 'Changed' })
    painter.refresh()
    expect(rowOf(2)?.textContent).toContain('Changed')
    face.list.setRules({ name: 'few', matches: ({ name }) => name === 'Changed' })
    painter.refresh()
    expect(rows()).toEqual([rowOf(2)])
    expect(indexes()).toEqual([0])
  })
})
