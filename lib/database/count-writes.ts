import type { PGlite } from '@electric-sql/pglite'

/** One statement that does nothing but read. All else may write. */
const reading = /^\s*select\b[^;]*$/iu

/**
 * Answers how to read a number that grows whenever something may have changed the database: before each statement
 * that may write is begun, and again before whoever asked for it hears that it is done. What was read while the
 * number stood still is still so, for PGlite has this process alone.
 */
export function countWrites(client: PGlite): () => number {
  let count = 0
  for (const name of ['query', 'exec', 'transaction'] as const) {
    const method: unknown = Reflect.get(client, name)
    if (typeof method !== 'function') throw new TypeError(`There is no method ${name}`)
    Reflect.set(client, name, async (...given: unknown[]): Promise<unknown> => {
      const [statement] = given
      if (typeof statement === 'string' && reading.test(statement)) return Reflect.apply(method, client, given)
      count += 1
      try {
        return await Reflect.apply(method, client, given)
      } finally {
        count += 1
      }
    })
  }
  return () => count
}
