import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { DatabaseError } from './errors'

function firstRow(result: unknown): Record<string, unknown> {
  const rows: unknown = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : []
  return Array.isArray(rows) ? Object(rows[0]) : {}
}

/**
 * Refuses a database whose schema is newer than this program's migrations: an older program would write rows
 * that break the newer one's rules. Throws DatabaseError. Answers whether nothing is left to migrate.
 */
export async function refuseNewerSchema(
  db: PgDatabase<PgQueryResultHKT, Record<string, never>>,
  migrationsFolder: string,
): Promise<boolean> {
  const found = await db.execute(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as migrated`)
  if (firstRow(found).migrated !== true) return false
  const newest = await db.execute(sql`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`)
  const known = Math.max(0, ...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis))
  const applied = Number(firstRow(newest).at ?? 0)
  if (applied > known) {
    throw new DatabaseError(
      'The database was changed by a newer version of Debitdesk than this one. Start that version, or restore a backup made before.',
      '0A000',
    )
  }
  return applied === known
}

/** Where templates are kept: beside the packages, so that nobody else writes there. */
export const templates = () => join(process.cwd(), 'node_modules/.cache/debitdesk')

/** A template's file name, and how it begins: which migrations it is of (`kind`), then a hash of what makes it. */
export async function nameTemplate(migrationsFolder: string, form: 'tar' | 'folder') {
  const hash = createHash('sha256')
  hash.update(await readFile(join(process.cwd(), 'node_modules/@electric-sql/pglite/package.json')))
  for (const file of (await readdir(migrationsFolder)).filter((each) => each.endsWith('.sql')).toSorted())
    hash.update(`${file}\n`).update(await readFile(join(migrationsFolder, file)))
  hash.update(await readFile(join(migrationsFolder, 'meta/_journal.json')))
  const kind = `${form}-${createHash('sha256').update(migrationsFolder).digest('hex').slice(0, 8)}`
  return { kind, name: `${kind}-${hash.digest('hex').slice(0, 24)}` }
}

/** Removes the templates of earlier migrations. */
export async function dropOthers(kind: string, name: string): Promise<void> {
  const others = (await readdir(templates())).filter((each) => each.startsWith(kind) && each !== name)
  for (const other of others) await rm(join(templates(), other), { recursive: true, force: true })
}

async function makeTemplate(migrationsFolder: string): Promise<Uint8Array<ArrayBuffer>> {
  const client = await PGlite.create()
  try {
    await migrate(drizzle(client), { migrationsFolder })
    return new Uint8Array(await (await client.dumpDataDir('none')).arrayBuffer())
  } finally {
    await client.close()
  }
}

/** Moved into its place whole, for several processes may make it at once. */
async function keepTemplate(name: string, template: Uint8Array): Promise<void> {
  await mkdir(templates(), { recursive: true })
  const draft = join(templates(), `${randomUUID()}.draft`)
  await writeFile(draft, template)
  await rename(draft, join(templates(), name))
}

async function findTemplate(migrationsFolder: string): Promise<Blob> {
  const { kind, name } = await nameTemplate(migrationsFolder, 'tar')
  const kept = await readFile(join(templates(), name)).catch(() => null)
  if (kept) return new Blob([kept])
  const template = await makeTemplate(migrationsFolder)
  await keepTemplate(name, template)
  await dropOthers(kind, name)
  return new Blob([template])
}

const known = new Map<string, Promise<Blob>>()

/**
 * An empty PGlite that has had its migrations, as a dump to begin with in memory: made once and kept beside the
 * packages, for making one takes seconds and loading it a fraction.
 */
export function readTemplate(migrationsFolder: string): Promise<Blob> {
  const read = known.get(migrationsFolder) ?? findTemplate(migrationsFolder)
  known.set(migrationsFolder, read)
  read.catch(() => known.delete(migrationsFolder))
  return read
}
