import type { Page } from '@/lib/api-contract/pagination'

/**
 * Prefix of keys for rows without an id: they can be shown but not recognised in another read. Each page load has its own, for
 * a key may stand in an address that is opened again.
 */
const NO_ID_PREFIX = `\0${Math.random().toString(36).slice(2)}.`

/** Whether a key stands for a row without an id that another page load has shown: nothing can lead to it. */
export function isStaleKey(key: string): boolean {
  return key.startsWith('\0') && !key.startsWith(NO_ID_PREFIX)
}

/** Makes the keys of each read unique. */
let reads = 0

/**
 * The rows of a list's pages by position and by id. Adding a page costs that page alone: earlier pages are not read
 * again unless replaced, and then new rows take the old ones' positions. Updating with the same pages is a no-op.
 */
export class RowIndex<Row> {
  /** Rows whose id occurred before; the later one takes the position of the first. */
  repeated = 0
  /**
   * Whether a later page repeated rows of an earlier one: rows moved between reads, and others may have been missed.
   */
  hasMoved = false
  /** Entries that could not be parsed. */
  unreadable = 0
  /** Trailing pages without a new row. */
  pagesWithoutNewRows = 0
  /** Increases when all positions change. */
  generation = 0
  readonly #getId: (row: Row) => string | null
  #pages: readonly Page<Row>[] = []
  #rows: Row[] = []
  #positions = new Map<string, number>()
  /** The key prefix for rows without an id in this read. */
  #noIdPrefix = `${NO_ID_PREFIX}${(reads += 1)}.`

  constructor(getId: (row: Row) => string | null) {
    this.#getId = getId
  }

  get size(): number {
    return this.#rows.length
  }

  at(position: number): Row | undefined {
    return this.#rows[position]
  }

  /** A key that identifies the row while it is loaded: its id, or a stand-in. */
  keyAt(position: number): string {
    const row = this.#rows[position]
    return (row === undefined ? null : this.#getId(row)) ?? this.#noIdPrefix + position
  }

  /** The position of the row with that key; -1 if there is none. */
  positionOf(key: string): number {
    if (key.startsWith(this.#noIdPrefix)) return Number(key.slice(this.#noIdPrefix.length))
    return this.#positions.get(key) ?? -1
  }

  /** Updates to these pages. Returns the positions of replaced rows. */
  update(pages: readonly Page<Row>[]): number[] {
    const known = this.#pages
    if (pages.length < known.length) return this.#rebuild(pages)
    const replaced: number[] = []
    for (const [at, page] of known.entries()) {
      const next = pages[at]
      if (next === page || next === undefined) continue
      const positions = this.#replacePage(page, next)
      if (positions === null) return this.#rebuild(pages)
      replaced.push(...positions)
    }
    for (const page of pages.slice(known.length)) {
      for (const position of this.#append(page)) replaced.push(position)
    }
    this.#pages = pages
    return replaced
  }

  #rebuild(pages: readonly Page<Row>[]): number[] {
    this.#rows = []
    this.#positions = new Map()
    this.#noIdPrefix = `${NO_ID_PREFIX}${(reads += 1)}.`
    this.#pages = []
    this.repeated = 0
    this.hasMoved = false
    this.unreadable = 0
    this.pagesWithoutNewRows = 0
    this.generation += 1
    return this.update(pages)
  }

  /** Replaces rows in place if ids and order are unchanged; otherwise returns null. */
  #replacePage(page: Page<Row>, next: Page<Row>): number[] | null {
    if (page.results.length !== next.results.length || page.unreadable !== next.unreadable) return null
    const replaced: number[] = []
    for (const [at, row] of next.results.entries()) {
      const old = page.results[at]
      if (row === old || old === undefined) continue
      const id = this.#getId(row)
      const position = id === null ? undefined : this.#positions.get(id)
      if (position === undefined || id !== this.#getId(old)) return null
      this.#rows[position] = row
      replaced.push(position)
    }
    return replaced
  }

  /** Returns the positions of earlier rows that this page repeats. */
  #append(page: Page<Row>): number[] {
    const before = this.size
    const replaced: number[] = []
    for (const row of page.results) {
      const id = this.#getId(row)
      const position = id === null ? undefined : this.#positions.get(id)
      if (position !== undefined) {
        this.#rows[position] = row
        replaced.push(position)
        this.repeated += 1
        this.hasMoved ||= position < before
        continue
      }
      if (id !== null) this.#positions.set(id, this.size)
      this.#rows.push(row)
    }
    this.unreadable += page.unreadable
    this.pagesWithoutNewRows = this.size === before ? this.pagesWithoutNewRows + 1 : 0
    return replaced
  }
}
