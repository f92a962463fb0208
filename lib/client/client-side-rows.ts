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

/** How long a slice may take (milliseconds): well within a frame. */
const SLICE_MS = 8
/** Rows between two looks at the clock. */
const STEP_ROWS = 256

/**
 * The loaded rows, filtered and sorted in the browser. Holds positions in the index only and takes rows in by slices, so that
 * neither the first pass over 100,000 rows nor a new page blocks a frame. What it shows changes once all rows are taken
 * in, or with the first slice that finds any.
 */
export class ClientSideRows<Row> {
  readonly #index: RowIndex<Row>
  readonly #rules: ClientSideRules<Row>
  /** What is shown, in order. */
  #positions: number[] = []
  /** What is taken in but not shown yet: in order each, and each less than half as long as the one before it. */
  #runs: number[][] = []
  #generation: number
  /** The number of rows that are taken in. */
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

  /** Takes in the next slice. Returns whether all loaded rows are taken in and shown. */
  advance(): boolean {
    if (this.#generation !== this.#index.generation) {
      this.#generation = this.#index.generation
      this.#positions = []
      this.#runs = []
      this.#processed = 0
    }
    const end = performance.now() + SLICE_MS
    do {
      const stop = Math.min(this.#index.size, this.#processed + STEP_ROWS)
      this.#takeIn(Array.from({ length: stop - this.#processed }, (_, at) => this.#processed + at))
      this.#processed = stop
    } while (this.#processed < this.#index.size && performance.now() < end)
    const isWhole = this.#processed === this.#index.size
    if (isWhole || this.#positions.length === 0) {
      const taken = this.#runs.reduceRight((later, run) => this.#merge(run, later), [])
      this.#positions = this.#merge(this.#positions, taken)
      this.#runs = []
    }
    return isWhole
  }

  /** Re-sorts and re-filters changed rows: they are not shown until the next slice. */
  replace(positions: readonly number[]): void {
    const changed = new Set(positions.filter((position) => position < this.#processed))
    if (changed.size === 0 || this.#generation !== this.#index.generation) return
    const withoutChanged = (run: readonly number[]) => run.filter((position) => !changed.has(position))
    this.#positions = withoutChanged(this.#positions)
    this.#runs = this.#runs.map(withoutChanged)
    this.#takeIn([...changed])
  }

  readonly #compareRows = (left: number, right: number): number => {
    const [a, b] = [this.#index.at(left), this.#index.at(right)]
    return (a !== undefined && b !== undefined && this.#rules.compare?.(a, b)) || left - right
  }

  /** Keeps the matching ones of these positions as a run. */
  #takeIn(positions: readonly number[]): void {
    let run = positions.filter((position) => {
      const row = this.#index.at(position)
      return row !== undefined && (this.#rules.matches?.(row) ?? true)
    })
    run.sort(this.#compareRows)
    for (let last = this.#runs.at(-1); last && last.length <= 2 * run.length; last = this.#runs.at(-1)) {
      this.#runs.pop()
      run = this.#merge(last, run)
    }
    this.#runs.push(run)
  }

  #merge(left: readonly number[], right: readonly number[]): number[] {
    const [first, last] = [right[0], left.at(-1)]
    if (first === undefined || last === undefined || this.#compareRows(last, first) < 0) return [...left, ...right]
    const merged: number[] = []
    let next = 0
    for (const position of right) {
      const until = findInsertIndex(left, next, (other) => this.#compareRows(other, position) < 0)
      while (next < until) merged.push(left[next++] ?? 0)
      merged.push(position)
    }
    while (next < left.length) merged.push(left[next++] ?? 0)
    return merged
  }
}

/** The first index from `low` whose element is not `before`; quickly found where it is near. */
function findInsertIndex(sorted: readonly number[], low: number, before: (element: number) => boolean): number {
  const isBefore = (index: number) => {
    const element = sorted[index]
    return element !== undefined && before(element)
  }
  let [from, to] = [low, low]
  for (let step = 1; to < sorted.length && isBefore(to); step *= 2) {
    from = to + 1
    to = Math.min(sorted.length, to + step)
  }
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}
