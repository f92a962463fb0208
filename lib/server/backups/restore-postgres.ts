import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { refuseUnfinishedRestore, unfinishedRestore } from '@/lib/database/migrations'
import { longWork } from '@/lib/database/open-postgres'
import { DUMP_FILE } from './make-backup'
import { BackupError, verifyFile } from './manifest'
import { onlyStore, runClient, STORE_SCHEMAS } from './postgres-client'
import type { RestoreRequest } from './restore-backup'

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query("set lock_timeout = '60s'; set statement_timeout = 0")
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
/** What stands in a store's schemas, but for what is an extension's; tables first, since others belong to them. */
const objects = `
  select kind, name from (
    select 'pg_class'::regclass as catalog, c.oid, c.relnamespace as schema, c.oid::regclass::text as name, case c.relkind
      when 'r' then 'table' when 'p' then 'table' when 'f' then 'foreign table' when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' end as kind
      from pg_class c
    union all select 'pg_proc'::regclass, p.oid, p.pronamespace, p.oid::regprocedure::text, 'routine' from pg_proc p
  ) object
  where kind is not null and schema in (to_regnamespace('public'), to_regnamespace('drizzle'))
    and not exists (select 1 from pg_depend d where d.classid = object.catalog and d.objid = object.oid and d.deptype = 'e')
  order by kind = 'table' desc`

async function listObjects(client: pg.Client): Promise<{ kind: string; name: string }[]> {
  return (await client.query<{ kind: string; name: string }>(objects)).rows
}

/** From here on until the end of the restore nobody else opens the database. */
async function markUnfinished(client: pg.Client, suffix: string): Promise<void> {
  await client.query(`comment on schema drizzle is '${`${unfinishedRestore} ${suffix}`.trim()}'`)
}

/** Renames the schemas of the store that is there, all or none. Returns the name of what was public. */
async function setAside(client: pg.Client, suffix: string): Promise<string> {
  await client.query('begin')
  for (const name of STORE_SCHEMAS)
    if (await readTrue(client, `to_regnamespace('${name}') is not null`))
      await client.query(`alter schema ${name} rename to ${name}_before_${suffix}`)
  await client.query('create schema public')
  await client.query('create schema drizzle')
  await markUnfinished(client, suffix)
  await client.query('commit')
  return `public_before_${suffix}`
}

/** Undoes what a restore did that was not accepted. */
async function takeBack(client: pg.Client, suffix: string, aside: string | null): Promise<void> {
  await client.query('begin')
  // First, since it waits for a pg_restore that the server has not ended yet.
  await client.query('drop schema if exists drizzle cascade')
  // Not the schema, which may hold extensions and has an owner and rights of its own.
  if (aside === null)
    for (const object of await listObjects(client))
      await client.query(`drop ${object.kind} if exists ${object.name} cascade`)
  else await client.query('drop schema public cascade')
  for (const name of STORE_SCHEMAS)
    if (await readTrue(client, `to_regnamespace('${name}_before_${suffix}') is not null`))
      await client.query(`alter schema ${name}_before_${suffix} rename to ${name}`)
  await client.query('commit')
}

function describeLeft(suffix: string, aside: string | null): string {
  return aside === null
    ? 'What was restored could not be removed: drop the schema drizzle and what stands in public before a dashboard starts.'
    : `The store before could not be put back: it is in ${aside} and drizzle_before_${suffix}. Drop the schemas public and drizzle and rename those two to them before a dashboard starts.`
}

/**
 * Restores a dump into the database at `url`, which nobody else may have open, then migrates and accepts it. Returns the
 * name of the schema in which the store before was set aside, if there was one.
 */
export async function restorePostgres(
  { backup, manifest, migrationsFolder, replace, interruption }: RestoreRequest,
  url: string,
  accept: (store: OpenDatabase) => Promise<void>,
): Promise<string | null> {
  const [dump] = manifest.files
  if (manifest.kind !== 'postgres' || dump?.path !== DUMP_FILE)
    throw new BackupError(
      'The backup is of a folder: restore it without DATABASE_URL, then move it to Postgres with npm run move-store.',
    )
  await verifyFile(backup, dump, join(backup, DUMP_FILE))
  const refuseOthers = async (client: pg.Client) => {
    if (await readTrue(client, inUse))
      throw new BackupError(
        'The database is in use by others: stop every dashboard on it first, and restore to Postgres itself, not through a pooler, which keeps connections.',
      )
  }
  const suffix = new Date().toISOString().replaceAll(/\D/gu, '').slice(0, 14)
  interruption?.throwIfAborted()
  const aside = await withClient(url, async (client) => {
    await refuseOthers(client)
    await refuseUnfinishedRestore(drizzle(client))
    if ((await listObjects(client)).length === 0) {
      await client.query('create schema if not exists drizzle')
      await markUnfinished(client, '')
      return null
    }
    if (!replace)
      throw new BackupError(
        'The database is not empty. With --replace what is there is set aside in other schemas, and kept.',
      )
    return setAside(client, suffix)
  })
  try {
    // Who connected before the mark was there is seen now; who does later sees the mark, and goes.
    await withClient(url, refuseOthers)
    const options = ['--exit-on-error', '--single-transaction', '--no-owner', '--no-privileges', '--no-password']
    const { database } = new pg.Client({ connectionString: url })
    await runClient('pg_restore', { url, interruption }, [
      ...options,
      ...onlyStore,
      `--dbname=${database ?? ''}`,
      join(backup, DUMP_FILE),
    ])
    const store = await openDatabase({ url, migrationsFolder, migrate: 'restoring', timeouts: longWork })
    try {
      await accept(store)
      interruption?.throwIfAborted()
      // From its end on dashboards may open it: nothing is taken back any more.
      await store.db.transaction(async (tx) => {
        // Dashboards that had the database open must not take this one for it.
        await tx.execute(sql`update drizzle.identity set id = gen_random_uuid()`)
        await tx.execute(sql`comment on schema drizzle is null`)
      })
    } finally {
      await store.close()
    }
    return aside
  } catch (error) {
    await withClient(url, (client) => takeBack(client, suffix, aside)).catch(() => {
      throw new BackupError(describeLeft(suffix, aside), { cause: error })
    })
    throw error
  }
}
