import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '@/lib/database/database'

/** Rows per statement, which has one bound JSON text of a few MB at most. */
const BATCH_SIZE = 2_000

/**
 * Inserts many rows with one parameter per statement, a JSON array that the database expands, several times faster than
 * one parameter per value. Keys of rows are the table's property names. Throws the reason of `signal` soon after it is
 * aborted.
 */
export async function insertRows<Table extends PgTable>(
  db: Database,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  signal?: AbortSignal,
): Promise<void> {
  const columns = Object.entries(getTableColumns(table))
  const names = sql.join(
    columns.map(([, column]) => sql.identifier(column.name)),
    sql`, `,
  )
  const shape = sql.join(
    columns.map(([, column]) => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`),
    sql`, `,
  )
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    // PGlite runs in this thread: without a pause no signal would be handled.
    if (signal) await new Promise((resolve) => setImmediate(resolve))
    signal?.throwIfAborted()
    const values = rows.slice(start, start + BATCH_SIZE).map((row) => {
      const byName = new Map(Object.entries(row))
      return Object.fromEntries(columns.map(([property, column]) => [column.name, byName.get(property) ?? null]))
    })
    await db.execute(
      sql`insert into ${sql.identifier(getTableName(table))} (${names}) select ${names} from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as rows(${shape})`,
    )
  }
}
