/** A deterministic random source. Not for secrets. */
export type Random = {
  /** An integer from 0 to below `limit`. */
  below: (limit: number) => number
  /** True with the probability `share` (0 to 1). */
  chance: (share: number) => boolean
  pick: <Item>(items: readonly [Item, ...Item[]]) => Item
  /** An item with a probability proportional to its weight. */
  weigh: <Item>(items: readonly [readonly [Item, number], ...(readonly [Item, number])[]]) => Item
  uuid: () => string
}

/** Creates a source from a seed (sfc32): the same seed gives the same values on every machine. */
export function makeRandom(seed: number): Random {
  let [a, b, c, d] = [seed | 0, 0x9e3779b9, 0x243f6a88, 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let round = 0; round < 15; round += 1) next()
  const below = (limit: number) => Math.floor((next() / 0x1_0000_0000) * limit)
  const hex = () => next().toString(16).padStart(8, '0')
  return {
    below,
    chance: (share) => next() / 0x1_0000_0000 < share,
    pick: (items) => items[below(items.length)] ?? items[0],
    weigh: (items) => {
      let rest = (next() / 0x1_0000_0000) * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        rest -= weight
        if (rest < 0) return item
      }
      return items[0][0]
    },
    uuid: () => {
      const digits = `${hex()}${hex()}${hex()}${hex()}`
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
    },
  }
}
