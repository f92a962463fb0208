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

type AnyDatabase = PgDatabase<PgQueryResultHKT, Record<string, never>>

/**
 * Which databases a program opens and migrates: all, empty ones alone (commands must not change the version), none (nor makes
 * one: a command that asks for what is there), or also one whose restore has not ended, which only that restore may open.
 */
export type MigrationPolicy = 'always' | 'if-empty' | 'must-exist' | 'restoring'

/** The migrations of a database: their folder, and when they are run. */
export type Migrations = { folder: string; policy: MigrationPolicy }

/**
 * What the comment on the schema `drizzle` begins with while a restore is under way, and afterwards if it was cut off: what is
 * there is then not verified yet. Behind it is the suffix of the schemas in which the store before was set aside, if any.
 */
export const unfinishedRestore = 'unfinished restore'

/** Reads that comment, as `comment`. */
export const restoreCommentQuery = "select obj_description(to_regnamespace('drizzle')::oid, 'pg_namespace') as comment"

/** Throws DatabaseError where the comment is that of a restore. */
export function refuseRestoreComment(comment: unknown): void {
  if (typeof comment !== 'string' || !comment.startsWith(unfinishedRestore)) return
  const suffix = comment.slice(unfinishedRestore.length).trim()
  const remedy =
    suffix === ''
      ? 'Drop the schema drizzle and what stands in public, then restore again.'
      : `Drop the schemas public and drizzle and rename public_before_${suffix} and drizzle_before_${suffix} to them: that is the store before.`
  throw new DatabaseError(`A restore of the database is under way, or was cut off. If it was: ${remedy}`, '55000')
}

/** Throws DatabaseError while a restore is under way, or when it was cut off. */
export async function refuseUnfinishedRestore(db: AnyDatabase): Promise<void> {
  refuseRestoreComment(firstRow(await db.execute(sql.raw(restoreCommentQuery))).comment)
}

/**
 * Compares the schema with this program's migrations. Throws DatabaseError when it is newer, since an older program would
 * write rows that break the newer one's rules, and when a restore of it was cut off, unless this is that restore (`isRestoring`).
 */
export async function compareSchema(
  db: AnyDatabase,
  migrationsFolder: string,
  isRestoring = false,
): Promise<'empty' | 'older' | 'current'> {
  if (!isRestoring) await refuseUnfinishedRestore(db)
  const found = await db.execute(sql`select to_regclass('drizzle.__drizzle_migrations') is not null as migrated`)
  if (firstRow(found).migrated !== true) return 'empty'
  const newest = await db.execute(sql`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`)
  const known = Math.max(0, ...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis))
  const applied = Number(firstRow(newest).at ?? 0)
  if (applied > known) {
    throw new DatabaseError(
      'The database was changed by a newer version of Debitdesk than this one. Start that version, or restore a backup made before.',
      '0A000',
    )
  }
  return applied === known ? 'current' : 'older'
}

/** Whether the database is to be migrated. Throws as compareSchema, and when the policy forbids it. */
export async function needsMigration(db: AnyDatabase, { folder, policy }: Migrations): Promise<boolean> {
  const schema = await compareSchema(db, folder, policy === 'restoring')
  if (schema === 'empty' && policy === 'must-exist') {
    throw new DatabaseError('There is no store of Debitdesk in the database: name the one that has it.', '3D000')
  }
  if (schema === 'older' && (policy === 'if-empty' || policy === 'must-exist')) {
    throw new DatabaseError(
      'The database is of an earlier version of Debitdesk than this command. Use the command of that version, or bring the database up to date first: start the dashboard of this version, or run npm run migrate.',
      '55000',
    )
  }
  return schema !== 'current'
}

/** The folder of cached templates, inside node_modules, where nobody else writes. */
export const templates = () => join(process.cwd(), 'node_modules/.cache/debitdesk')

/** A template's file name, and its prefix (`kind`), which identifies the folder of migrations; the rest hashes its inputs. */
export async function nameTemplate(migrationsFolder: string, form: 'tar' | 'folder') {
  const hash = createHash('sha256')
  hash.update(await readFile(join(process.cwd(), 'node_modules/@electric-sql/pglite/package.json')))
  for (const file of (await readdir(migrationsFolder)).filter((each) => each.endsWith('.sql')).toSorted())
    hash.update(`${file}\n`).update(await readFile(join(migrationsFolder, file)))
  hash.update(await readFile(join(migrationsFolder, 'meta/_journal.json')))
  const kind = `${form}-${createHash('sha256').update(migrationsFolder).digest('hex').slice(0, 8)}`
  return { kind, name: `${kind}-${hash.digest('hex').slice(0, 24)}` }
}

/** Deletes the templates of earlier migrations. */
export async function dropOthers(kind: string, name: string): Promise<void> {
  const others = (await readdir(templates())).filter((each) => each.startsWith(kind) && each !== name)
  for (const other of others) await rm(join(templates(), other), { recursive: true, force: true })
}

/** Drops databases that nobody copies to another: each is a sixth of an empty PGlite. */
export async function dropTemplateDatabases(
  db: AnyDatabase,
  names: readonly ('template0' | 'template1')[],
): Promise<void> {
  await db.execute(sql`update pg_database set datistemplate = false`)
  for (const unused of names) await db.execute(sql.raw(`drop database ${unused}`))
  await db.execute(sql`checkpoint`)
}

async function makeTemplate(migrationsFolder: string): Promise<Uint8Array<ArrayBuffer>> {
  const client = await PGlite.create()
  try {
    const db = drizzle(client)
    await migrate(db, { migrationsFolder })
    await dropTemplateDatabases(db, ['template0', 'template1'])
    return new Uint8Array(await (await client.dumpDataDir('none')).arrayBuffer())
  } finally {
    await client.close()
  }
}

/** Moves the file into place atomically, since several processes may write it at once. */
async function storeTemplate(name: string, template: Uint8Array): Promise<void> {
  await mkdir(templates(), { recursive: true })
  const draft = join(templates(), `${randomUUID()}.draft`)
  await writeFile(draft, template)
  await rename(draft, join(templates(), name))
}

async function findTemplate(migrationsFolder: string): Promise<Blob> {
  const { kind, name } = await nameTemplate(migrationsFolder, 'tar')
  const cached = await readFile(join(templates(), name)).catch(() => null)
  if (cached) return new Blob([cached])
  const template = await makeTemplate(migrationsFolder)
  await storeTemplate(name, template)
  await dropOthers(kind, name)
  return new Blob([template])
}

const loading = new Map<string, Promise<Blob>>()

/**
 * A dump of an empty, migrated PGlite for databases in memory. Cached beside the packages: creating one takes seconds,
 * loading it a fraction.
 */
export function readTemplate(migrationsFolder: string): Promise<Blob> {
  const template = loading.get(migrationsFolder) ?? findTemplate(migrationsFolder)
  loading.set(migrationsFolder, template)
  template.catch(() => loading.delete(migrationsFolder))
  return template
}
