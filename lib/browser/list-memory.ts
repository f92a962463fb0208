import type { NamedView } from '@/lib/contract/saved-view'
import type { RowList } from './row-list'

/** Where the reader is in a list: written by the grid as it happens, read when the list is come back to. */
export class ListPlace {
  #scrollTop = 0
  #focusKey: string | null = null

  /** In pixels. */
  get scrollTop(): number {
    return this.#scrollTop
  }

  /** The key of the row that has the grid's tab stop. */
  get focusKey(): string | null {
    return this.#focusKey
  }

  scroll(top: number): void {
    this.#scrollTop = top
  }

  focus(key: string): void {
    this.#focusKey = key
  }
}

/** `ask` tells what the service was asked for this list. */
export type KeptList<Row> = { ask: string; list: RowList<Row>; place: ListPlace }

/** So many rows are kept in all lists that were left, and at least the last list. */
const mostRows = 200_000

/**
 * Lists that were left, by the address of their view, so that Back finds filters, rows, scroll position
 * and focus as they were; and the columns and views that were chosen meanwhile. It lives as long as the page: a reload starts at the top.
 */
export class ListMemory<Row> {
  readonly #lists = new Map<string, KeptList<Row>>()
  #columns: string | null | undefined
  #views: readonly NamedView[] | undefined

  keep(address: string, kept: KeptList<Row>): void {
    this.#lists.delete(address)
    this.#lists.set(address, kept)
    let rows = 0
    for (const [key, { list }] of [...this.#lists].toReversed()) {
      rows += list.rows.size
      if (rows > mostRows && key !== address) this.#lists.delete(key)
    }
  }

  find(address: string): KeptList<Row> | undefined {
    return this.#lists.get(address)
  }

  /** Takes a row in that was read elsewhere, wherever it is kept. */
  patch(row: Row): void {
    for (const { list } of this.#lists.values()) list.patch(row)
  }

  /** The reader's own columns: as they were chosen since the page was loaded, else as the server knew them. */
  recallColumns(known: string | null): string | null {
    return this.#columns === undefined ? known : this.#columns
  }

  keepColumns(columns: string | null): void {
    this.#columns = columns
  }

  /** The saved views as they were looked up last since the page was loaded. */
  recallViews(): readonly NamedView[] | undefined {
    return this.#views
  }

  keepViews(views: readonly NamedView[]): void {
    this.#views = views
  }
}
