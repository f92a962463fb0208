import { sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { DatabaseError } from '@/lib/database/errors'

const MAX_BATCH_ROWS = 2_000
/** Postgres takes no larger JSON than 256 MB, and both sides hold a batch in memory. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024

type Rows = readonly Record<string, unknown>[]

/** Guarantee: both drivers return the rows of a raw query as objects. */
function readRows(result: unknown): Rows {
  return (result as { rows: Rows }).rows
}

async function query(db: Database, statement: string): Promise<Rows> {
  return readRows(await db.execute(sql.raw(statement)))
}

/** The tables of the store, each after those it references. */
async function listTables(db: Database): Promise<string[]> {
  const names = (
    await query(db, "select tablename as name from pg_tables where schemaname = 'public' order by tablename")
  ).map(({ name }) => String(name))
  const links = await query(
    db,
    `select distinct child.relname as child, parent.relname as parent from pg_constraint
     join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
     where contype = 'f' and child.oid <> parent.oid`,
  )
  const sorted: string[] = []
  while (sorted.length < names.length) {
    const ready = names.filter(
      (name) =>
        !sorted.includes(name) && links.every(({ child, parent }) => child !== name || sorted.includes(String(parent))),
    )
    if (ready.length === 0) throw new Error('the tables refer to each other in a circle')
    sorted.push(...ready)
  }
  return sorted
}

/** So many that no batch is too large; a row that is larger is one by itself. */
async function countBatchRows(from: Database, table: string): Promise<number> {
  const [found] = await query(from, `select max(octet_length(to_jsonb(t)::text)) as bytes from "${table}" t`)
  return Math.max(1, Math.min(MAX_BATCH_ROWS, Math.floor(MAX_BATCH_BYTES / Number(found?.bytes))))
}

async function copyTable(from: Database, to: Database, table: string): Promise<void> {
  const batchRows = await countBatchRows(from, table)
  // As text end to end, so that no number passes through JavaScript.
  await from.execute(sql.raw(`declare moved no scroll cursor for select to_jsonb(t)::text as row from "${table}" t`))
  for (;;) {
    const rows = await query(from, `fetch ${batchRows} from moved`)
    if (rows.length === 0) break
    const list = `[${rows.map(({ row }) => String(row)).join(',')}]`
    const target = sql.identifier(table)
    await to.execute(
      sql`insert into ${target} overriding system value select * from jsonb_populate_recordset(null::${target}, ${list}::jsonb)`,
    )
  }
  await from.execute(sql.raw('close moved'))
}

/** Continues identity columns where the source left off. */
async function setSequences(from: Database, to: Database): Promise<void> {
  const owned = await query(
    to,
    `select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES'`,
  )
  for (const { table, column } of owned) {
    const sequence = `pg_get_serial_sequence('"${String(table)}"', '${String(column)}')`
    const [last] = await query(from, `select ${sequence} as name`)
    const [state] = await query(
      from,
      `select last_value::text as value, is_called as called from ${String(last?.name)}`,
    )
    await to.execute(sql.raw(`select setval(${sequence}, ${String(state?.value)}, ${String(state?.called)})`))
  }
}

/** A table's number of rows and an order-independent checksum. */
async function sumTable(db: Database, table: string): Promise<string> {
  const [found] = await query(
    db,
    `select count(*)::text || ' rows, sum ' ||
       coalesce(sum(('x' || substr(md5(to_jsonb(t)::text), 1, 15))::bit(60)::bigint), 0)::text as sum
     from "${table}" t`,
  )
  return String(found?.sum)
}

/**
 * Copies a store into an empty one with the same schema, all or nothing, and compares the two table by table. Returns
 * each table's sum. Throws DatabaseError when the target is not empty or differs afterwards, and
 * database errors.
 */
export function moveStore(from: Database, to: Database): Promise<Map<string, string>> {
  return from.transaction((source) =>
    to.transaction(async (target) => {
      const tables = await listTables(target)
      const sums = new Map<string, string>()
      for (const db of [source, target]) await db.execute(sql.raw("set local timezone to 'UTC'"))
      for (const table of tables) {
        const [found] = await query(target, `select exists (select 1 from "${table}") as filled`)
        if (found?.filled === true)
          throw new DatabaseError(`The database is not empty: there are rows in ${table}.`, '55000')
      }
      for (const table of tables) {
        await copyTable(source, target, table)
        const [before, after] = [await sumTable(source, table), await sumTable(target, table)]
        if (before !== after)
          throw new DatabaseError(`Nothing was moved: ${table} had ${before}, and has ${after}.`, 'XX000')
        sums.set(table, after)
      }
      await setSequences(source, target)
      return sums
    }),
  )
}
