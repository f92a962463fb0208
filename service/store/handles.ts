import { randomInt } from 'node:crypto'
import { and, eq, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Lower-case letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export type HandlePrefix = 'cu' | 'md' | 'am' | 'pm' | 'me'

/**
 * Makes a handle: prefix, underscore, 16 random characters. The prefix keeps every handle apart from ids
 * and from the words of a path. `pick(n)` answers a whole number from 0 to below n.
 */
export function newHandle(prefix: HandlePrefix, pick: (limit: number) => number = randomInt): string {
  return `${prefix}_${Array.from({ length: 16 }, () => alphabet.charAt(pick(alphabet.length))).join('')}`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu

type Addressed = { id: PgColumn; handle: PgColumn; merchantId: PgColumn }

/** The condition for one row of one merchant by id or handle. Both may match; `preferId` says which wins. */
export function byIdOrHandle(table: Addressed, merchantId: string, value: string): SQL | undefined {
  const named = uuid.test(value)
    ? or(eq(table.id, value.toLowerCase()), eq(table.handle, value))
    : eq(table.handle, value)
  return and(eq(table.merchantId, merchantId), named)
}

/** Of the rows that a value addresses, the one whose id it is, else the one whose handle it is. */
export function preferId<Row extends { id: string }>(rows: readonly Row[], value: string): Row | undefined {
  return rows.find(({ id }) => id === value.toLowerCase()) ?? rows[0]
}
