import type { KeptList } from '@/lib/browser/list-memory'
import type { ListId } from '@/lib/contract/ability'
import type { ListRow } from '@/lib/contract/list-page'
import type { CellFacts } from './cell-facts'
import type { Column, TableDefinition } from './define-table'
import { drawRow, type RowFace } from './draw-row'
import type { RowWindow } from './follow-window'
import { findMarked } from './marked-text'
import { paint, type Painted, paintOver } from './paint-element'
import { putInOrder } from './put-in-order'

/** How long a list must be at rest before its rows are put in order (milliseconds). */
const rest = 150

/** What all rows of a list are drawn from. */
export type RowsFace<List extends ListId> = {
  table: Pick<TableDefinition<List>, 'list' | 'rowLabel' | 'status'>
  list: KeptList<ListRow<List>>['list']
  /** Those of rows in the server's HTML, which the style sheet shows or hides: the server knows no width. */
  columns: readonly Column<ListRow<List>>[]
  /** Those of them that have room. */
  inSight: readonly Column<ListRow<List>>[]
  facts: CellFacts
  /** Pixels; null where only the style sheet knows. */
  rowHeight: number | null
  selects: boolean
  /** Key of the row with the tab stop: it stays drawn wherever the reader scrolls. */
  focusKey: string | null
  openKey: string | null
}

/** A drawn row: its element, and what that shows. */
type Slot<Row> = {
  element: HTMLElement
  face: RowFace<Row>
  /** Whether it is a row of the server's HTML, which has all columns. */
  isWhole: boolean
  /** Null for such a row that was not changed since: it shows `face`. */
  painted: Painted | null
}

/** The indexes of the rows in a window, and of the one with the tab stop (-1: none). */
export function listIndexes({ start, end }: RowWindow, size: number, focused: number): number[] {
  const to = Math.min(end, size)
  const from = Math.max(0, Math.min(start, to))
  const indexes = Array.from({ length: to - from }, (_, offset) => from + offset)
  if (focused < 0 || (focused >= from && focused < to)) return indexes
  return focused < from ? [focused, ...indexes] : [...indexes, focused]
}

/** The room that so many rows take: a CSS length. */
export function heightOf(count: number): string {
  return `calc(var(--dt-row) * ${count})`
}

/** What one row is drawn from; undefined where there is none. */
export function readRowFace<List extends ListId>(
  { table, list, inSight, facts, rowHeight, selects, focusKey, openKey }: RowsFace<List>,
  index: number,
): RowFace<ListRow<List>> | undefined {
  const row = list.rowAt(index)
  if (row === undefined) return undefined
  const key = list.keyAt(index)
  return {
    key,
    row,
    index,
    // A length in pixels costs a quarter of the style that one of a variable does.
    top: rowHeight === null ? heightOf(index) : `${index * rowHeight}px`,
    label: table.rowLabel(row),
    status: table.status?.(row),
    columns: inSight,
    facts,
    isSelected: selects ? list.selection.keys.has(key) : null,
    isOpen: key === openKey,
    isTabStop: key === focusKey,
  }
}

/** What the server drew the same rows from. */
function asInHtml<List extends ListId>(face: RowsFace<List>): RowsFace<List> {
  return { ...face, inSight: face.columns, rowHeight: null }
}

function isSame<Row>(left: RowFace<Row>, right: RowFace<Row>): boolean {
  return (
    left.row === right.row &&
    left.index === right.index &&
    left.top === right.top &&
    left.columns === right.columns &&
    left.facts === right.facts &&
    left.isSelected === right.isSelected &&
    left.isOpen === right.isOpen &&
    left.isTabStop === right.isTabStop
  )
}

/**
 * Draws the rows of a window. The elements of rows that leave show the rows that come: React makes elements
 * and takes them away, which was a third of the script of a scroll.
 */
export class RowPainter<List extends ListId> {
  readonly #slots = new Map<string, Slot<ListRow<List>>>()
  readonly #root: HTMLElement
  /** Rows of the server's HTML that the list does not have yet: they are handed over in the same response. */
  #ahead: readonly Element[]
  /** What the server drew its rows from. */
  readonly #served: RowsFace<List>
  #face: RowsFace<List>
  #window: RowWindow = { start: 0, end: 0 }
  #size = -1
  #movedAt = 0
  #isWaiting = false

  /** `face` is what the server drew the rows from that are in `root` already. */
  constructor(root: HTMLElement, face: RowsFace<List>) {
    this.#root = root
    this.#face = face
    this.#served = asInHtml(face)
    this.#ahead = this.#takeOver(Array.from(root.children))
    this.#makeRoom()
  }

  /** Draws the rows from something else. */
  show(face: RowsFace<List>): void {
    this.#face = face
    this.refresh()
  }

  /** Draws what changed in the list or its ticks. */
  refresh(): void {
    this.#draw()
    if (!this.#isWaiting) this.#order()
  }

  /** Draws other rows. In a scroll they are put in the order in which they are read once it is at rest. */
  move(next: RowWindow, isScroll: boolean): void {
    const { start, end } = this.#window
    if (start === next.start && end === next.end) return
    this.#window = next
    this.#draw()
    this.#movedAt = performance.now()
    if (isScroll) this.#orderOnceAtRest()
    else this.#order()
  }

  /** Takes over rows of the server's HTML, and away what is none. Answers those that the list may have soon. */
  #takeOver(elements: readonly Element[]): Element[] {
    const face = this.#served
    const { size, walk } = face.list
    return elements.filter((element) => {
      const index = Number(element.getAttribute('aria-rowindex') ?? Number.NaN) - 2
      if (index >= size && (walk.kind === 'more' || walk.kind === 'loading')) return true
      const drawn = readRowFace(face, index)
      const isIt = drawn && element.getAttribute('data-row-id') === (drawn.row.id ?? '') && !this.#slots.has(drawn.key)
      if (isIt && element instanceof HTMLElement) {
        // Ticks that the browser filled in again are nobody's; what somebody ticked is told by `takeEarlyTicks`.
        const box = element.querySelector('input')
        if (box) box.checked = false
        drawn.isSelected &&= false
        this.#slots.set(drawn.key, { element, face: drawn, isWhole: true, painted: null })
      } else element.remove()
      return false
    })
  }

  /** One timer at a time: a scroll moves the rows sixty times a second. */
  #orderOnceAtRest(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    setTimeout(() => {
      this.#isWaiting = false
      if (performance.now() - this.#movedAt < rest) this.#orderOnceAtRest()
      else this.#order()
    }, rest)
  }

  #draw(): void {
    if (this.#ahead.length > 0) this.#ahead = this.#takeOver(this.#ahead)
    const face = this.#face
    const { list, focusKey } = face
    const focused = focusKey === null ? -1 : list.indexOf(focusKey)
    const marked = findMarked()
    const before = new Map(this.#slots)
    const coming: RowFace<ListRow<List>>[] = []
    const whole = asInHtml(face)
    for (const index of listIndexes(this.#window, list.size, focused)) {
      const slot = before.get(list.keyAt(index))
      const row = readRowFace(slot?.isWhole ? whole : face, index)
      if (row && slot) {
        before.delete(row.key)
        this.#paintOver(slot, row)
      } else if (row) coming.push(row)
    }
    for (const [key, slot] of before) {
      this.#slots.delete(key)
      // The focus and marked text would be those of the other row then; a row of the server's HTML has other columns.
      const isTaken = slot.element.contains(document.activeElement) || marked?.intersectsNode(slot.element)
      const isFree = !slot.isWhole && !isTaken
      const row = isFree ? coming.pop() : undefined
      if (row) {
        this.#paintOver(slot, row)
        this.#slots.set(row.key, slot)
      } else slot.element.remove()
    }
    for (const row of coming) {
      const painted = drawRow(row)
      const element = paint(painted) as HTMLElement
      this.#root.append(element)
      this.#slots.set(row.key, { element, face: row, isWhole: false, painted })
    }
    this.#makeRoom()
  }

  /** Who has scrolled to rows that the list does not have yet stays there. */
  #makeRoom(): void {
    const size = this.#face.list.size + this.#ahead.length
    if (size !== this.#size) this.#root.style.height = heightOf(size)
    this.#size = size
  }

  #paintOver(slot: Slot<ListRow<List>>, face: RowFace<ListRow<List>>): void {
    if (isSame(slot.face, face)) return
    const { element } = slot
    const painted = drawRow(face)
    const hadFocus = element.contains(document.activeElement)
    paintOver(element, slot.painted ?? drawRow(slot.face), painted)
    // What had it is gone: a button that did its work, a cell that has no room any more.
    if (hadFocus && !element.contains(document.activeElement)) element.focus({ preventScroll: true })
    slot.face = face
    slot.painted = painted
  }

  /** Not while text is marked in them: what is moved loses its mark. */
  #order(): void {
    const marked = findMarked()
    const rows = [...this.#slots.values()].toSorted((a, b) => a.face.index - b.face.index).map(({ element }) => element)
    if (!marked || !rows.some((row) => marked.intersectsNode(row))) putInOrder(rows)
  }
}
