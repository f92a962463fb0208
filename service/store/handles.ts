import { randomInt } from 'node:crypto'
import { and, eq, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Lower-case letters and digits without those that are easily confused. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export type HandlePrefix = 'cu' | 'md' | 'am' | 'pm' | 'me'

/**
 * Generates a handle: prefix, underscore, 16 random characters. The prefix distinguishes handles from ids and from
 * literal path segments. `pick(n)` returns an integer from 0 to below n.
 */
export function newHandle(prefix: HandlePrefix, pick: (limit: number) => number = randomInt): string {
  return `${prefix}_${Array.from({ length: 16 }, () => alphabet.charAt(pick(alphabet.length))).join('')}`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu

type Addressed = { id: PgColumn; handle: PgColumn; merchantId: PgColumn }

/** The condition for a merchant's rows with an id or handle. Two rows may match; `preferId` chooses. */
export function byIdOrHandle(table: Addressed, merchantId: string, value: string): SQL | undefined {
  const named = uuid.test(value)
    ? or(eq(table.id, value.toLowerCase()), eq(table.handle, value))
    : eq(table.handle, value)
  return and(eq(table.merchantId, merchantId), named)
}

/** The row whose id the value is, else the one whose handle it is. */
export function preferId<Row extends { id: string }>(rows: readonly Row[], value: string): Row | undefined {
  return rows.find(({ id }) => id === value.toLowerCase()) ?? rows[0]
}
