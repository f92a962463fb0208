import { nameless } from './row-store'
import { Signal } from './signal'

/** What a selection needs of the list that it is made in. */
export type SelectableRows = {
  keyAt: (index: number) => string
  /** -1 when no row of that key is shown. */
  indexOf: (key: string) => number
  isLoaded: (key: string) => boolean
}

/** Which rows of a list are ticked, by key, so that reading and sorting anew do not change it. */
export class Selection {
  /** Notified when a tick comes or goes. */
  readonly changes = new Signal()
  readonly keys = new Set<string>()
  /** The key of the row where a range begins. */
  #anchor: string | null = null
  /** Ticks of the list before this one, or of the server's HTML, of rows that are not here yet. */
  readonly #carried = new Set<string>()
  readonly #rows: SelectableRows

  constructor(rows: SelectableRows) {
    this.#rows = rows
  }

  toggle(key: string): void {
    if (!this.keys.delete(key)) this.keys.add(key)
    this.changes.notify()
  }

  /** Ticks the rows between two indexes, both included, or takes their ticks away. */
  tick(from: number, to: number, on = true): void {
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      if (on) this.keys.add(this.#rows.keyAt(index))
      else this.keys.delete(this.#rows.keyAt(index))
    }
    this.changes.notify()
  }

  /** Ticks from the row that was ticked last to this one, or turns the tick of this one alone. */
  tickAt(index: number, isRange: boolean): void {
    const from = isRange && this.#anchor !== null ? this.#rows.indexOf(this.#anchor) : -1
    if (from >= 0) return this.tick(from, index)
    this.#anchor = this.#rows.keyAt(index)
    this.toggle(this.#anchor)
  }

  /** The focus moves by a row and takes the selection along, away from where that began or back to it. */
  extend(from: number, to: number): void {
    const begin = this.#anchor === null ? -1 : this.#rows.indexOf(this.#anchor)
    const start = begin < 0 ? from : begin
    this.#anchor = this.#rows.keyAt(start)
    if (Math.abs(to - start) < Math.abs(from - start)) this.tick(from, from, false)
    else this.tick(from, to)
  }

  /** Takes over the ticks of a list that this one's replaces; each counts once its row is here. */
  carry(before: Selection): void {
    this.#anchor = before.#anchor
    this.expect([...before.keys, ...before.#carried].filter((key) => !key.startsWith(nameless)))
  }

  /** Ticks the rows with these keys, each once it is here, or no more. */
  expect(keys: readonly string[], on = true): void {
    for (const key of keys) {
      if (on) this.#carried.add(key)
      else this.#carried.delete(key)
    }
    this.claim()
  }

  /** Ticks the carried rows that have come by now. */
  claim(): void {
    for (const key of this.#carried) {
      if (!this.#rows.isLoaded(key)) continue
      this.#carried.delete(key)
      this.keys.add(key)
      this.changes.notify()
    }
  }

  /** Whether a row is ticked, or one that is not here yet is to be. */
  get isAny(): boolean {
    return this.keys.size + this.#carried.size > 0
  }

  clear(): void {
    this.#carried.clear()
    this.keys.clear()
    this.#anchor = null
    this.changes.notify()
  }
}
