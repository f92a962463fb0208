import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A Postgres server for the tests; unset means PGlite. */
const server = process.env.SERVICE_TEST_DATABASE_URL

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}

type Given = { folder?: string; databaseUrl?: string }

const kept = new Map<string, string>()

/**
 * Where a test's service keeps its rows: PGlite as the test asks, or, when the suite runs on Postgres, a
 * database of its own. Services of one folder share one database, as they would share the folder.
 */
export async function makeTestDatabase(given: Given): Promise<{ options: Given; drop: () => Promise<void> }> {
  if (!server || given.databaseUrl) return { options: {}, drop: async () => undefined }
  const known = given.folder && kept.get(given.folder)
  const name = known ?? `test_${randomUUID().replaceAll('-', '')}`
  if (!known) await run(`create database ${name}`)
  if (given.folder) kept.set(given.folder, name)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    options: { databaseUrl: url.href },
    drop: () => (given.folder ? Promise.resolve() : run(`drop database ${name} with (force)`)),
  }
}
