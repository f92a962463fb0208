import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '@/lib/database/open-database'

/** Memory for one index's sort; an ordinary one is made for much less. */
const roomToSort = '128MB'

const answer = z.object({ rows: z.array(z.object({ drop: z.string(), make: z.string() })) })

/** The statements that drop a table's plain indexes and its references to others, and those that make them again. */
async function findHelpers(db: Database, table: string): Promise<{ drop: string; make: string }[]> {
  const found: unknown = await db.execute(sql`
    select format('alter table %I drop constraint %I', ${table}::text, conname) as drop,
      format('alter table %I add constraint %I %s', ${table}::text, conname, pg_get_constraintdef(oid)) as make
    from pg_constraint where conrelid = ${table}::text::regclass and contype = 'f'
    union all
    select format('drop index %I', indexname), indexdef
    from pg_indexes where tablename = ${table}::text and schemaname = current_schema() and indexdef like 'CREATE INDEX %'`)
  return answer.parse(found).rows
}

/**
 * Runs `work`, which fills an empty table, without the table's plain indexes and references and makes them again: to
 * sort once is several times faster than to find the place of each row in each index. What is unique stays. `db` is
 * a transaction, so that nobody ever sees the table without them.
 */
export async function withoutIndexes(db: Database, table: string, work: () => Promise<void>): Promise<void> {
  const helpers = await findHelpers(db, table)
  for (const { drop } of helpers) await db.execute(sql.raw(drop))
  await work()
  // A million rows take longer than any statement may otherwise.
  await db.execute(sql`set local statement_timeout = 0`)
  await db.execute(sql.raw(`set local maintenance_work_mem = '${roomToSort}'`))
  for (const { make } of helpers) await db.execute(sql.raw(make))
}
