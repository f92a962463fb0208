import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../open-database'

/*
 * Waits for a line, opens the database in the folder (first argument), prints what it finds (`found COUNT LAST`), then
 * writes row after row, printing each once committed, until it is killed.
 */

const [folder = '', migrationsFolder = ''] = process.argv.slice(2)
await once(process.stdin, 'data')
const { db } = await openDatabase({ folder, migrationsFolder })
const found: unknown = await db.execute(
  sql`select count(*)::int as count, coalesce(max(id), 0)::int as last from notes`,
)
const [, count = '', last = '0'] = /"count":(\d+),"last":(\d+)/u.exec(JSON.stringify(found)) ?? []
console.log(`found ${count} ${last}`)
for (let id = Number(last) + 1; ; id += 1) {
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes (id, text) values (${id}, repeat('x', 300))`)
    if (id > 2_000) await tx.execute(sql`update notes set text = 'y' where id = ${id - 2_000}`)
  })
  process.stdout.write(`${id}\n`)
}
