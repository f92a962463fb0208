import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from './open-database'
import { makeMigrations } from './testing/make-migrations'
import { startPostgres } from './testing/start-postgres'

const run = promisify(execFile)
const program = 'lib/database/testing/migrate-until-killed.ts'

let root: string
let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'migrations-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  await rm(root, { recursive: true, force: true })
})

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return rows
}

describe.each(['service/store/migrations', 'lib/server/store/migrations'])('%s', (migrationsFolder) => {
  it('cut off at any statement leave nothing on Postgres, and run to their end afterwards', async () => {
    const migrations = readMigrationFiles({ migrationsFolder }).map((migration) => migration.sql)
    const name = migrationsFolder.replaceAll(/\W/gu, '_').toLowerCase()
    await query(postgres.url, `create database ${name}`)
    const url = postgres.url.replace(/\/postgres$/u, `/${name}`)
    const tables = "select 1 from pg_tables where schemaname = 'public'"
    const total = migrations.reduce((sum, statements) => sum + statements.length, 0)
    for (let cut = 0; cut <= total; cut += 1) {
      let before = 0
      const broken = migrations.map((statements, index) => {
        const at = cut - before
        before += statements.length
        const here =
          at >= 0 && (at < statements.length || (index === migrations.length - 1 && at === statements.length))
        return here
          ? [...statements.slice(0, at), 'select pg_terminate_backend(pg_backend_pid())', ...statements.slice(at)]
          : statements
      })
      await expect(openDatabase({ url, migrationsFolder: await makeMigrations(root, broken) })).rejects.toThrow(
        /Failed query|terminat/u,
      )
      expect(await query(url, tables)).toEqual([])
    }
    const opened = await Promise.all([1, 2, 3].map(() => openDatabase({ url, migrationsFolder })))
    expect(await query(url, 'select count(*)::int as count from drizzle.__drizzle_migrations')).toEqual([
      { count: migrations.length },
    ])
    await Promise.all(opened.map(({ close }) => close()))
  })

  it('killed before any statement on PGlite run to their end afterwards', async () => {
    const made = join(root, 'made')
    const none = await makeMigrations(root, [])
    await (await openDatabase({ folder: made, migrationsFolder: none })).close()
    const begin = async (nth: number): Promise<{ folder: string; output: string }> => {
      const folder = await mkdtemp(join(root, 'killed-'))
      await cp(made, folder, { recursive: true })
      const args = ['scripts/run-program.mjs', program, folder, migrationsFolder, String(nth)]
      const { stdout } = await run(process.execPath, args).catch((error: Error & { signal?: string }) => {
        if (error.signal === 'SIGKILL') return { stdout: 'killed' }
        throw error
      })
      return { folder, output: stdout.trim() }
    }
    const statements = Number((await begin(0)).output)
    const files = readMigrationFiles({ migrationsFolder })
    expect(statements).toBeGreaterThan(files.reduce((sum, migration) => sum + migration.sql.length, 0))
    for (let nth = 1; nth <= statements; nth += 1) {
      const { folder, output } = await begin(nth)
      expect([nth, output]).toEqual([nth, 'killed'])
      const { db, close } = await openDatabase({ folder, migrationsFolder })
      const found = await db.execute(sql`select count(*)::int as count from drizzle.__drizzle_migrations`)
      expect(found).toMatchObject({ rows: [{ count: files.length }] })
      await close()
      await rm(folder, { recursive: true, force: true })
    }
  }, 7_200_000)
})
