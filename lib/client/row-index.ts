import type { Page } from '@/lib/api-contract/pagination'

/** Marks keys of rows that came without an id: they can be shown, but never recognised in another reading. */
const nameless = '\0'

/** How many readings there were so far. */
let readings = 0

/**
 * The rows of a list's pages by position and by id. A page more costs that page alone: pages that were taken before are not read
 * again, only one of them that was replaced, whose rows then stand where the old ones stood. Taking the same pages
 * twice changes nothing.
 */
export class RowIndex<Row> {
  /** How many rows came again under an id that was here already; the later one stands in the place of the first. */
  repeated = 0
  /** Whether a later page had rows of an earlier one: they moved meanwhile, and others may have slipped through between. */
  hasMoved = false
  /** Entries of the service's pages that could not be read as rows at all. */
  unreadable = 0
  /** Pages at the end that brought no new row. */
  drought = 0
  /** Grows when all positions change. */
  generation = 0
  readonly #idOf: (row: Row) => string | null
  #pages: readonly Page<Row>[] = []
  #rows: Row[] = []
  #places = new Map<string, number>()
  /** Begins the keys of rows without an id in this reading. */
  #nameless = `${nameless}${(readings += 1)}.`

  constructor(idOf: (row: Row) => string | null) {
    this.#idOf = idOf
  }

  get size(): number {
    return this.#rows.length
  }

  at(position: number): Row | undefined {
    return this.#rows[position]
  }

  /** A key that is the row's own as long as it is loaded: its id, or a stand-in where it has none. */
  keyAt(position: number): string {
    const row = this.#rows[position]
    return (row === undefined ? null : this.#idOf(row)) ?? this.#nameless + position
  }

  /** Where the row of that key stands; -1 where there is none. */
  positionOf(key: string): number {
    if (key.startsWith(this.#nameless)) return Number(key.slice(this.#nameless.length))
    return this.#places.get(key) ?? -1
  }

  /** Takes in the pages as they are now. Answers the positions whose rows were replaced. */
  take(pages: readonly Page<Row>[]): number[] {
    const known = this.#pages
    if (pages.length < known.length) return this.#takeAnew(pages)
    const replaced: number[] = []
    for (const [at, page] of known.entries()) {
      const next = pages[at]
      if (next === page || next === undefined) continue
      const positions = this.#replace(page, next)
      if (positions === null) return this.#takeAnew(pages)
      replaced.push(...positions)
    }
    for (const page of pages.slice(known.length)) {
      for (const position of this.#append(page)) replaced.push(position)
    }
    this.#pages = pages
    return replaced
  }

  #takeAnew(pages: readonly Page<Row>[]): number[] {
    this.#rows = []
    this.#places = new Map()
    this.#nameless = `${nameless}${(readings += 1)}.`
    this.#pages = []
    this.repeated = 0
    this.hasMoved = false
    this.unreadable = 0
    this.drought = 0
    this.generation += 1
    return this.take(pages)
  }

  /** Rows of the same ids in the same order take the places of the old ones; null where they are others. */
  #replace(page: Page<Row>, next: Page<Row>): number[] | null {
    if (page.results.length !== next.results.length || page.unreadable !== next.unreadable) return null
    const replaced: number[] = []
    for (const [at, row] of next.results.entries()) {
      const old = page.results[at]
      if (row === old || old === undefined) continue
      const id = this.#idOf(row)
      const position = id === null ? undefined : this.#places.get(id)
      if (position === undefined || id !== this.#idOf(old)) return null
      this.#rows[position] = row
      replaced.push(position)
    }
    return replaced
  }

  /** Answers the positions of earlier rows that came again. */
  #append(page: Page<Row>): number[] {
    const before = this.size
    const replaced: number[] = []
    for (const row of page.results) {
      const id = this.#idOf(row)
      const position = id === null ? undefined : this.#places.get(id)
      if (position !== undefined) {
        this.#rows[position] = row
        replaced.push(position)
        this.repeated += 1
        this.hasMoved ||= position < before
        continue
      }
      if (id !== null) this.#places.set(id, this.size)
      this.#rows.push(row)
    }
    this.unreadable += page.unreadable
    this.drought = this.size === before ? this.drought + 1 : 0
    return replaced
  }
}
