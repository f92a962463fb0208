/** So many values are remembered at most. */
const most = 1_000

/**
 * Remembers what was read of a database, and tells it while nothing there has changed: the first read after a change forgets all of it. `readWrites`
 * tells that (see countWrites); without it others may write too, and everything is read each time.
 */
export class RememberWhileStill<Value> {
  #known = new Map<string, Value>()
  #readWrites: (() => number) | undefined
  #writes = 0

  async read(key: string, readWrites: (() => number) | undefined, read: () => Promise<Value>): Promise<Value> {
    if (!readWrites) return read()
    const writes = readWrites()
    if (readWrites !== this.#readWrites || writes !== this.#writes) this.#known = new Map()
    this.#readWrites = readWrites
    this.#writes = writes
    // What changes while it is read makes the value old: it goes to those that are forgotten then.
    const known = this.#known
    const value = known.get(key)
    if (value !== undefined) return value
    const fresh = await read()
    if (known.size >= most) known.delete(known.keys().next().value ?? key)
    known.set(key, fresh)
    return fresh
  }
}
