import { statfs } from 'node:fs/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { DatabaseError } from '@/lib/database/errors'
import { compareSchema } from '@/lib/database/migrations'
import { requireSession } from '@/lib/database/require-session'
import { findUnsafeDatabaseSettings } from '../runtime/initial-data'
import type { Settings } from '../runtime/settings'
import { isLoopback } from '../runtime/setting-types'
import { explainStoreError } from '../store/explain-store-error'
import { storeMigrations } from '../store/store'
import { compareClocks, type DeskFindings } from './desk-findings'

const TIMEOUT_MS = 5_000
/** The oldest Postgres that the store is tested with, as server_version_num. */
const OLDEST_VERSION = 150_000

async function checkVersion(found: DeskFindings, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  )
  const { version = 'unknown', number = 0 } = rows[0] ?? {}
  if (number >= OLDEST_VERSION) found.add('database', 'ok', `Postgres ${version} at DATABASE_URL.`)
  else found.add('database', 'failure', `Postgres ${version} is too old. Upgrade it to 15 or newer.`)
}

async function checkSession(found: DeskFindings, client: pg.Client, url: string): Promise<void> {
  try {
    await requireSession(client, url, TIMEOUT_MS)
    found.add('sessions', 'ok', 'Each connection keeps its session.')
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    found.add('sessions', 'failure', error.message)
  }
}

async function checkDurability(found: DeskFindings, client: pg.Client): Promise<void> {
  const off = await findUnsafeDatabaseSettings(drizzle(client))
  if (off.length === 0) {
    found.add('durability', 'ok', 'fsync, full_page_writes and synchronous_commit are on.')
    return
  }
  const which = `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off`
  found.add('durability', 'failure', `${which}: a power cut may lose what was acknowledged. Switch on in Postgres.`)
}

/** The names of the store's tables, which may share their schema with others. */
function listStoreTables(): string[] {
  const statements = readMigrationFiles({ migrationsFolder: storeMigrations }).flatMap(({ sql }) => sql)
  return statements.flatMap((statement) => /^create table "(\w+)"/iu.exec(statement.trim())?.[1] ?? [])
}

/** Whether the role may migrate the store, or make it: change its tables, and create others and schemas, which Postgres asks for even where they exist. */
async function mayMigrate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select has_schema_privilege('public', 'create')
      and has_database_privilege(current_database(), 'create')
      and not exists (
        select from pg_class
        where relkind = 'r' and not pg_has_role(relowner, 'usage')
          and (relnamespace = to_regnamespace('drizzle') or relnamespace = 'public'::regnamespace and relname = any($1))
      ) as owns`,
    [listStoreTables()],
  )
  return rows[0]?.owns === true
}

async function checkMigrations(found: DeskFindings, client: pg.Client): Promise<void> {
  try {
    if ((await compareSchema(drizzle(client), storeMigrations)) === 'current')
      found.add('migrations', 'ok', 'The schema is up to date.')
    else if (await mayMigrate(client))
      found.add('migrations', 'warning', 'Migrations are due: starting the dashboard makes them.')
    else
      found.add(
        'migrations',
        'failure',
        'Migrations are due, which this role may not make. Run npm run migrate as the owner.',
      )
  } catch (error) {
    if (error instanceof DatabaseError) found.add('migrations', 'failure', error.message)
    else if (error instanceof Error && 'code' in Object(error.cause ?? error))
      found.add(
        'migrations',
        'failure',
        'The role may not read the schema. Run npm run migrate -- --role ROLE as the owner.',
      )
    else throw error
  }
}

async function checkClock(found: DeskFindings, client: pg.Client): Promise<void> {
  const sent = Date.now()
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
  const time = rows[0]?.at.getTime() ?? Number.NaN
  compareClocks(found, 'clock of database', { time, sent, received: Date.now(), precision: 0 })
}

async function checkPostgres(found: DeskFindings, settings: Settings, url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: 2 * TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await checkVersion(found, client)
    await checkSession(found, client, url)
    await checkDurability(found, client)
    await checkMigrations(found, client)
    await checkClock(found, client)
  } catch (error) {
    found.add('database', 'failure', explainStoreError(error, settings))
  } finally {
    await client.end().catch(() => undefined)
  }
}

const GIGABYTE = 1_073_741_824
const MEGABYTE = 1_048_576

async function checkDisk(found: DeskFindings, { DATA_DIR }: Settings): Promise<void> {
  try {
    const { bavail, bsize } = await statfs(DATA_DIR)
    const free = bavail * bsize
    const room = free < GIGABYTE ? `${Math.floor(free / MEGABYTE)} MB` : `${(free / GIGABYTE).toFixed(1)} GB`
    const result = free < 100 * MEGABYTE ? 'failure' : free < GIGABYTE ? 'warning' : 'ok'
    const mend = result === 'ok' ? '' : ' Make room there, or move DATA_DIR.'
    found.add('disk', result, `${room} are free at DATA_DIR (${DATA_DIR}).${mend}`)
  } catch {
    found.add('disk', 'note', `DATA_DIR (${DATA_DIR}) is not there yet; the first start creates it.`)
  }
}

/** Checks the database, by reading only, and the disk. */
export async function checkStore(found: DeskFindings, settings: Settings): Promise<void> {
  const { DATABASE_URL, NEXTAUTH_URL } = settings
  if (DATABASE_URL) await checkPostgres(found, settings, DATABASE_URL)
  else {
    const result = isLoopback(NEXTAUTH_URL) ? 'note' : 'warning'
    const loss = 'may lose the last changes in a power cut, and serves one dashboard alone'
    found.add('database', result, `PGlite in DATA_DIR ${loss}. For production set DATABASE_URL to a Postgres.`)
  }
  await checkDisk(found, settings)
}
