import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { longWork } from '@/lib/database/open-postgres'
import { DUMP_FILE } from './make-backup'
import { BackupError, verifyFile } from './manifest'
import { runClient } from './postgres-client'
import type { RestoreRequest } from './restore-backup'

/** The schemas of a store: tables, and what is known of migrations. */
const SCHEMAS = ['public', 'drizzle'] as const

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function readTrue(client: pg.Client, condition: string): Promise<boolean> {
  const { rows } = await client.query<{ holds: boolean }>(`select (${condition}) as holds`)
  return rows[0]?.holds === true
}

/** Of other roles' sessions, only a superuser sees the kind; the server's own processes are nobody's. */
const inUse =
  "exists (select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend')"
const isFilled =
  "exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'drizzle') and c.relkind in ('r', 'p', 'v', 'm', 'S'))"

/** Renames the schemas of the store that is there, all or none. Returns the name of what was public. */
async function setAside(client: pg.Client, suffix: string): Promise<string> {
  await client.query('begin')
  for (const name of SCHEMAS)
    if (await readTrue(client, `to_regnamespace('${name}') is not null`))
      await client.query(`alter schema ${name} rename to ${name}_before_${suffix}`)
  await client.query('create schema public')
  await client.query('commit')
  return `public_before_${suffix}`
}

/** Undoes what a restore did that was not accepted. */
async function takeBack(client: pg.Client, suffix: string, aside: string | null): Promise<void> {
  await client.query('begin')
  for (const name of SCHEMAS) {
    await client.query(`drop schema if exists ${name} cascade`)
    if (await readTrue(client, `to_regnamespace('${name}_before_${suffix}') is not null`))
      await client.query(`alter schema ${name}_before_${suffix} rename to ${name}`)
  }
  if (aside === null) await client.query('create schema public')
  await client.query('commit')
}

/**
 * Restores a dump into the database at `url`, which nobody else may have open, then migrates and accepts it. Returns the
 * name of the schema in which the store before was set aside, if there was one.
 */
export async function restorePostgres(
  { backup, manifest, migrationsFolder, replace }: RestoreRequest,
  url: string,
  accept: (store: OpenDatabase) => Promise<void>,
): Promise<string | null> {
  const [dump] = manifest.files
  if (manifest.kind !== 'postgres' || dump?.path !== DUMP_FILE)
    throw new BackupError(
      'The backup is of a folder: restore it without DATABASE_URL, then move it to Postgres with npm run move-store.',
    )
  await verifyFile(backup, dump, join(backup, DUMP_FILE))
  const suffix = new Date().toISOString().replaceAll(/\D/gu, '').slice(0, 14)
  const aside = await withClient(url, async (client) => {
    if (await readTrue(client, inUse))
      throw new BackupError('The database is in use by others: stop every dashboard on it first.')
    if (!(await readTrue(client, isFilled))) return null
    if (!replace)
      throw new BackupError(
        'The database is not empty. With --replace what is there is set aside in other schemas, and kept.',
      )
    return setAside(client, suffix)
  })
  try {
    const options = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', '--no-password']
    const { database } = new pg.Client({ connectionString: url })
    await runClient('pg_restore', url, [...options, `--dbname=${database ?? ''}`, join(backup, DUMP_FILE)])
    const store = await openDatabase({ url, migrationsFolder, timeouts: longWork })
    try {
      await accept(store)
      // Dashboards that had the database open must not take this one for it.
      await store.db.execute(sql`update drizzle.identity set id = gen_random_uuid()`)
    } finally {
      await store.close()
    }
    return aside
  } catch (error) {
    await withClient(url, (client) => takeBack(client, suffix, aside))
    throw error
  }
}
