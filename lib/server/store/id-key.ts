import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

const uuid = sql.raw("'^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$'")

/** `idKey` of lib/contract/ids.ts for a column: in an index and in a query alike, for only then is the index used. */
export function idKeyOf(column: PgColumn): SQL<string> {
  return sql<string>`(case when ${column} ~ ${uuid} then lower(${column}) else ${column} end)`
}
