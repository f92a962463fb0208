const chunkLength = 512

/** Marks keys of rows that came without an id: they can be shown, but never recognised again. */
export const nameless = '\0'

/**
 * The loaded rows of one list, keyed by id, in the order in which the service gave them. Appending a page
 * costs the rows of that page, whatever was loaded before: there is no array of all rows that is copied or
 * compared. Positions are fixed for life (rows put in front count down from -1), so whoever
 * remembers one (a filtered view, the focus) is not upset by new rows.
 */
export class RowStore<Row> {
  readonly #idOf: (row: Row) => string | null
  readonly #chunks: Row[][] = []
  /** Rows in front of position 0, nearest first. */
  readonly #front: Row[] = []
  readonly #positions = new Map<string, number>()
  #length = 0

  constructor(idOf: (row: Row) => string | null) {
    this.#idOf = idOf
  }

  /** How many rows are loaded. */
  get size(): number {
    return this.#length + this.#front.length
  }

  /** The position of the first row: 0, or below where rows were put in front. */
  get start(): number {
    return -this.#front.length
  }

  /** One past the position of the last row. */
  get end(): number {
    return this.#length
  }

  at(position: number): Row | undefined {
    if (position < 0) return this.#front[-position - 1]
    return this.#chunks[Math.floor(position / chunkLength)]?.[position % chunkLength]
  }

  /** A key that is the row's own as long as it is loaded: its id, or a stand-in where it has none. */
  keyAt(position: number): string {
    const row = this.at(position)
    return (row === undefined ? null : this.#idOf(row)) ?? nameless + position
  }

  positionOf(key: string): number | undefined {
    if (key.startsWith(nameless)) return Number(key.slice(nameless.length))
    return this.#positions.get(key)
  }

  get(key: string): Row | undefined {
    const position = this.positionOf(key)
    return position === undefined ? undefined : this.at(position)
  }

  /** Adds a page at the end. A row whose id is already here replaces the earlier one in its place. */
  append(rows: readonly Row[]): { added: number; repeated: number } {
    let repeated = 0
    for (const row of rows) {
      if (this.patch(row)) {
        repeated += 1
        continue
      }
      const id = this.#idOf(row)
      if (id !== null) this.#positions.set(id, this.#length)
      const chunk = this.#chunks.at(-1)
      if (chunk && chunk.length < chunkLength) chunk.push(row)
      else this.#chunks.push([row])
      this.#length += 1
    }
    return { added: rows.length - repeated, repeated }
  }

  /** Puts rows in front, the first of them first. Those that are already here are replaced in their place. */
  prepend(rows: readonly Row[]): void {
    for (const row of rows.toReversed()) {
      if (this.patch(row)) continue
      this.#front.push(row)
      const id = this.#idOf(row)
      if (id !== null) this.#positions.set(id, -this.#front.length)
    }
  }

  /** Replaces the loaded row of the same id; false where there is none. */
  patch(row: Row): boolean {
    const id = this.#idOf(row)
    const position = id === null ? undefined : this.#positions.get(id)
    if (position === undefined) return false
    if (position < 0) this.#front[-position - 1] = row
    else {
      const chunk = this.#chunks[Math.floor(position / chunkLength)]
      if (chunk) chunk[position % chunkLength] = row
    }
    return true
  }
}
