import { type FieldKind, filterFields } from '@/lib/api-contract/filter'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { ListRow } from '@/lib/domain/lists/list-pages'
import type { ListPlan } from '@/lib/domain/lists/list-plan'
import { createRowComparator, matchesFilter } from '@/lib/domain/lists/row-matching'
import type { RowIndex } from './row-index'

/** Filtering and sorting in the browser, where the API is not proven to do it. `name` identifies the rules. */
export type ClientSideRules<Row> = {
  name: string
  matches?: (row: Row) => boolean
  compare?: (left: Row, right: Row) => number
}

/** The rules of the part of a plan that is left to the browser; null if there is none. */
export function makeRules<List extends ListId>(
  list: List,
  { filter, orders }: ListPlan['clientSide'],
): ClientSideRules<ListRow<List>> | null {
  if (!filter && orders.length === 0) return null
  const kinds: Record<string, FieldKind> = filterFields[list]
  return {
    name: JSON.stringify({ filter, orders }),
    ...(filter && { matches: (row) => matchesFilter(filter, row) }),
    ...(orders.length > 0 && { compare: createRowComparator(orders, kinds) }),
  }
}

/** Rows processed per slice: well within a frame. */
const SLICE_SIZE = 2_000

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
  #processed = 0

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
    const insertIndex = findInsertIndex(this.#positions, 0, (other) => other < position)
    return this.#positions[insertIndex] === position ? insertIndex : -1
  }

  /** Processes the next slice. Returns whether all loaded rows are processed. */
  advance(): boolean {
    if (this.#generation !== this.#index.generation) {
      this.#generation = this.#index.generation
      this.#positions = []
      this.#processed = 0
    }
    const stop = Math.min(this.#index.size, this.#processed + SLICE_SIZE)
    this.#merge(Array.from({ length: stop - this.#processed }, (_, at) => this.#processed + at))
    this.#processed = stop
    return stop === this.#index.size
  }

  /** Re-sorts and re-filters changed rows. */
  replace(positions: readonly number[]): void {
    const changed = new Set(positions.filter((position) => position < this.#processed))
    if (changed.size === 0 || this.#generation !== this.#index.generation) return
    this.#positions = this.#positions.filter((position) => !changed.has(position))
    this.#merge([...changed].toSorted((left, right) => left - right))
  }

  /** Merges matching rows into the result; `positions` are in ascending order. */
  #merge(positions: readonly number[]): void {
    const matching = positions.filter((position) => {
      const row = this.#index.at(position)
      return row !== undefined && (this.#rules.matches?.(row) ?? true)
    })
    const { compare } = this.#rules
    const compareRows = (left: number, right: number): number => {
      const [a, b] = [this.#index.at(left), this.#index.at(right)]
      return (compare && a !== undefined && b !== undefined && compare(a, b)) || left - right
    }
    if (compare) matching.sort(compareRows)
    const [first, last] = [matching[0], this.#positions.at(-1)]
    if (first === undefined) return
    if (last === undefined || compareRows(last, first) < 0) {
      for (const position of matching) this.#positions.push(position)
      return
    }
    const merged: number[] = []
    let next = 0
    for (const position of matching) {
      const until = findInsertIndex(this.#positions, next, (other) => compareRows(other, position) < 0)
      while (next < until) merged.push(this.#positions[next++] ?? 0)
      merged.push(position)
    }
    while (next < this.#positions.length) merged.push(this.#positions[next++] ?? 0)
    this.#positions = merged
  }
}

/** Binary search: the first index from `low` whose element is not `before`. */
function findInsertIndex(sorted: readonly number[], low: number, before: (element: number) => boolean): number {
  let [from, to] = [low, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    const element = sorted[middle]
    if (element !== undefined && before(element)) from = middle + 1
    else to = middle
  }
  return from
}
