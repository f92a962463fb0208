import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countWrites } from './open-pglite'

const client = new PGlite()
const readWrites = countWrites(client)
const db = drizzle(client)

async function moves(run: () => Promise<unknown>): Promise<boolean> {
  const before = readWrites()
  await run().catch(() => undefined)
  return readWrites() > before
}

beforeAll(() => client.exec('create table things (name text)'))
afterAll(() => client.close())

describe('the count of writes', () => {
  it('stands still while a database is only read', async () => {
    expect(await moves(() => db.execute(sql`select name from things where name = ${'a'}`))).toBe(false)
  })

  it.each([
    ['an insert', () => db.execute(sql`insert into things values ('a')`)],
    [
      'an update inside a query',
      () => db.execute(sql`with u as (update things set name = 'b' returning 1) select * from u`),
    ],
    ['several statements', () => client.exec("select 1; insert into things values ('c')")],
    ['a transaction', () => db.transaction((tx) => tx.execute(sql`delete from things`))],
    ['a statement that fails', () => db.execute(sql`insert into nowhere values ('a')`)],
  ])('grows with %s', async (_, run) => {
    expect(await moves(run)).toBe(true)
  })

  it('has grown once more by the time that a write is known to be done', async () => {
    const writing = db.execute(sql`insert into things values ('d')`)
    const reading = db.execute(sql`select count(*) from things`)
    const begun = readWrites()
    await Promise.all([writing, reading])
    expect(readWrites()).toBeGreaterThan(begun)
  })
})
