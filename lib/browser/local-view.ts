import type { RowStore } from './row-store'

type Rules<Row> = {
  matches?: (row: Row) => boolean
  compare?: (left: Row, right: Row) => number
}

/** So many rows are looked at in one go: well within a frame. */
const sliceLength = 2_000

/**
 * A filtered and sorted reading of the loaded rows, for what the service was not proven to do itself. It
 * holds positions of the store only, and takes in the store's rows slice by slice (`advance`), so that
 * neither the first look at 100,000 rows nor a new page stops a frame.
 */
export class LocalView<Row> {
  readonly #store: RowStore<Row>
  readonly #rules: Rules<Row>
  #positions: number[] = []
  /** What has been looked at: positions from #from up to (not including) #to. */
  #from: number
  #to: number

  constructor(store: RowStore<Row>, rules: Rules<Row>) {
    this.#store = store
    this.#rules = rules
    this.#from = store.start
    this.#to = store.start
  }

  get size(): number {
    return this.#positions.length
  }

  positionAt(index: number): number | undefined {
    return this.#positions[index]
  }

  indexOf(position: number): number {
    return this.#rules.compare ? this.#positions.indexOf(position) : searchSorted(this.#positions, position)
  }

  /** Takes in the next slice of rows. Answers whether all loaded rows have been looked at. */
  advance(): boolean {
    if (this.#store.start < this.#from) {
      this.#take(this.#store.start, this.#from, true)
      this.#from = this.#store.start
    }
    const stop = Math.min(this.#store.end, this.#to + sliceLength)
    this.#take(this.#to, stop, false)
    this.#to = Math.max(this.#to, stop)
    return this.#to >= this.#store.end
  }

  #take(from: number, to: number, inFront: boolean): void {
    const found: number[] = []
    for (let position = from; position < to; position += 1) {
      const row = this.#store.at(position)
      if (row !== undefined && (this.#rules.matches?.(row) ?? true)) found.push(position)
    }
    if (found.length === 0) return
    if (this.#rules.compare) this.#merge(found, this.#rules.compare)
    else if (inFront) this.#positions.unshift(...found)
    else for (const position of found) this.#positions.push(position)
  }

  #merge(found: number[], compare: (left: Row, right: Row) => number): void {
    const order = (left: number, right: number): number => {
      const [a, b] = [this.#store.at(left), this.#store.at(right)]
      return (a !== undefined && b !== undefined && compare(a, b)) || left - right
    }
    found.sort(order)
    const merged: number[] = []
    let next = 0
    for (const position of found) {
      const until = searchPlace(this.#positions, next, (other) => order(other, position) < 0)
      for (const other of this.#positions.slice(next, until)) merged.push(other)
      merged.push(position)
      next = until
    }
    for (const other of this.#positions.slice(next)) merged.push(other)
    this.#positions = merged
  }
}

/** The first place from `low` on whose element is not `before`, in an array where all that are come first. */
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

function searchSorted(sorted: readonly number[], wanted: number): number {
  const place = searchPlace(sorted, 0, (element) => element < wanted)
  return sorted[place] === wanted ? place : -1
}
