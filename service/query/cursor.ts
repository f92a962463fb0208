import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, or, type SQL, sql } from 'drizzle-orm'
import type { SortOrder } from '@/lib/api-contract/filter'
import { columnOf, fieldOf, type ListShape } from './list-fields'

export type CursorValue = string | number | boolean

/** A cursor is valid only for the same merchant, list, filter and sort order. */
export type CursorScope = { secret: string; merchantId: string; list: string; filter: string; order: string }

const MAC_BYTES = 16

function sign(scope: CursorScope, payload: string): Buffer {
  const bound = JSON.stringify([scope.merchantId, scope.list, scope.filter, scope.order, payload])
  return createHmac('sha256', scope.secret).update(bound).digest().subarray(0, MAC_BYTES)
}

/** Encodes the sort values of a page's last row as opaque, signed text (base64url). */
export function encodeCursor(scope: CursorScope, values: readonly CursorValue[]): string {
  const payload = JSON.stringify(values)
  return Buffer.concat([sign(scope, payload), Buffer.from(payload)]).toString('base64url')
}

/** Decodes a cursor; null if it was not signed for exactly this scope. */
export function decodeCursor(scope: CursorScope, text: string): CursorValue[] | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return null
  const payload = bytes.subarray(MAC_BYTES).toString('utf8')
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), sign(scope, payload))) return null
  return parseSigned(payload)
}

/** Must only be called after the signature was verified: then the payload is what `encodeCursor` wrote. */
function parseSigned(payload: string): CursorValue[] {
  return JSON.parse(payload) as CursorValue[]
}

const casts = {
  text: 'text',
  keyword: 'text',
  number: 'bigint',
  boolean: 'boolean',
  moment: 'timestamptz',
  uuid: 'uuid',
} as const

/**
 * The condition for rows after a cursor. With a single direction it is a row comparison, which an index answers as a
 * range; mixed directions are spelled out, with a bound on the first column for the index.
 */
export function afterSql(
  shape: ListShape,
  orders: readonly SortOrder[],
  values: readonly CursorValue[],
): SQL | undefined {
  const keys = orders.map(({ field, direction }, index) => {
    const place = fieldOf(shape, field)
    return {
      column: columnOf(shape, place.column),
      value: sql`${values[index] ?? null}::${sql.raw(casts[place.kind])}`,
      descending: direction === 'desc',
    }
  })
  const [first] = keys
  if (!first) return undefined
  if (keys.every(({ descending }) => descending === first.descending)) {
    const columns = sql.join(
      keys.map(({ column }) => sql`${column}`),
      sql`, `,
    )
    const bounds = sql.join(
      keys.map(({ value }) => value),
      sql`, `,
    )
    return sql`(${columns}) ${sql.raw(first.descending ? '<' : '>')} (${bounds})`
  }
  const branches = keys.map((key, index) =>
    and(
      ...keys.slice(0, index).map(({ column, value }) => sql`${column} = ${value}`),
      sql`${key.column} ${sql.raw(key.descending ? '<' : '>')} ${key.value}`,
    ),
  )
  return and(sql`${first.column} ${sql.raw(first.descending ? '<=' : '>=')} ${first.value}`, or(...branches))
}
