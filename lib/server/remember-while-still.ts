type Remembered<Value> = { readWrites: () => number; writes: number; value: Value }

/** So many values are remembered at most. */
const most = 1_000

/**
 * Remembers what was read of a database for exactly as long as nothing in it has changed. `readWrites` tells that
 * (see countWrites); without it others may write too, and everything is read each time.
 */
export class RememberWhileStill<Value> {
  readonly #known = new Map<string, Remembered<Value>>()

  async read(key: string, readWrites: (() => number) | undefined, read: () => Promise<Value>): Promise<Value> {
    if (!readWrites) return read()
    const known = this.#known.get(key)
    // Taken before reading: what changes meanwhile makes the value old at once.
    const writes = readWrites()
    if (known?.readWrites === readWrites && known.writes === writes) return known.value
    this.#known.delete(key)
    const value = await read()
    if (this.#known.size >= most) this.#known.delete(this.#known.keys().next().value ?? key)
    this.#known.set(key, { readWrites, writes, value })
    return value
  }
}
