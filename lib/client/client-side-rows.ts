import type { RowIndex } from './row-index'

/** Filtering and sorting in the browser, where the API is not proven to do it. `name` identifies the rules. */
export type ClientSideRules<Row> = {
  name: string
  matches?: (row: Row) => boolean
  compare?: (left: Row, right: Row) => number
}

/** Rows processed per slice: well within a frame. */
const sliceLength = 2_000

/**
 * The loaded rows, filtered and sorted in the browser. Holds positions in the index only and processes rows in
 * slices, so that neither the first pass over 100,000 rows nor a new page blocks a frame.
 */
export class ClientSideRows<Row> {
  readonly #index: RowIndex<Row>
  readonly #rules: ClientSideRules<Row>
  #positions: number[] = []
  #generation: number
  /** The number of processed rows. */
  #seen = 0

  constructor(index: RowIndex<Row>, rules: ClientSideRules<Row>) {
    this.#index = index
    this.#rules = rules
    this.#generation = index.generation
  }

  get size(): number {
    return this.#positions.length
  }

  positionAt(index: number): number | undefined {
    return this.#positions[index]
  }

  indexOf(position: number): number {
    if (this.#rules.compare) return this.#positions.indexOf(position)
    const place = searchPlace(this.#positions, 0, (other) => other < position)
    return this.#positions[place] === position ? place : -1
  }

  /** Processes the next slice. Returns whether all loaded rows are processed. */
  advance(): boolean {
    if (this.#generation !== this.#index.generation) {
      this.#generation = this.#index.generation
      this.#positions = []
      this.#seen = 0
    }
    const stop = Math.min(this.#index.size, this.#seen + sliceLength)
    this.#merge(Array.from({ length: stop - this.#seen }, (_, at) => this.#seen + at))
    this.#seen = stop
    return stop === this.#index.size
  }

  /** Re-sorts and re-filters changed rows. */
  replace(positions: readonly number[]): void {
    const changed = new Set(positions.filter((position) => position < this.#seen))
    if (changed.size === 0 || this.#generation !== this.#index.generation) return
    this.#positions = this.#positions.filter((position) => !changed.has(position))
    this.#merge([...changed].toSorted((left, right) => left - right))
  }

  /** Merges matching rows into the result; `positions` are in ascending order. */
  #merge(positions: readonly number[]): void {
    const found = positions.filter((position) => {
      const row = this.#index.at(position)
      return row !== undefined && (this.#rules.matches?.(row) ?? true)
    })
    const { compare } = this.#rules
    const order = (left: number, right: number): number => {
      const [a, b] = [this.#index.at(left), this.#index.at(right)]
      return (compare && a !== undefined && b !== undefined && compare(a, b)) || left - right
    }
    if (compare) found.sort(order)
    const [first, last] = [found[0], this.#positions.at(-1)]
    if (first === undefined) return
    if (last === undefined || order(last, first) < 0) {
      for (const position of found) this.#positions.push(position)
      return
    }
    const merged: number[] = []
    let next = 0
    for (const position of found) {
      const until = searchPlace(this.#positions, next, (other) => order(other, position) < 0)
      while (next < until) merged.push(this.#positions[next++] ?? 0)
      merged.push(position)
    }
    while (next < this.#positions.length) merged.push(this.#positions[next++] ?? 0)
    this.#positions = merged
  }
}

/** Binary search: the first index from `low` whose element is not `before`. */
function searchPlace(sorted: readonly number[], low: number, before: (element: number) => boolean): number {
  let [from, to] = [low, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const element = sorted[middle]
    if (element !== undefined && before(element)) from = middle + 1
    else to = middle
  }
  return from
}
