import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '@/lib/database/database'
import { requireRoom, RESERVE_BYTES } from '@/lib/database/disk-space'

/** A backup that could not be made or restored; `message` tells people in one line what to do. */
export class BackupError extends Error {}

/**
 * The description of a backup: a folder that holds it as `manifest.json`, and beside it `store.dump`, a custom-format dump
 * of Postgres, or `pglite`, the files of a PGlite. Paths are relative, with slashes.
 */
const manifest = z.strictObject({
  format: z.literal(1),
  kind: z.enum(['pglite', 'postgres']),
  at: z.iso.datetime(),
  /** When the newest migration of the schema was made, in milliseconds since 1970. */
  schema: z.number(),
  /** The last row of the activity log; `sequence` is 0 without any. */
  activity: z.strictObject({ sequence: z.int().min(0), hash: z.string() }),
  folders: z.array(z.string()),
  files: z.array(z.strictObject({ path: z.string(), bytes: z.int(), sha256: z.string() })),
})

export type Manifest = z.output<typeof manifest>

export const MANIFEST_FILE = 'manifest.json'

function firstRow(result: unknown): Record<string, unknown> {
  const rows: unknown = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : []
  return Array.isArray(rows) ? Object(rows[0]) : {}
}

/** What a store says of itself, in the words of any version of its schema. */
export async function readStoreFacts(db: Database): Promise<Pick<Manifest, 'schema' | 'activity'>> {
  const found = await db.execute(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('public.activity') is not null as filled`,
  )
  if (firstRow(found).filled !== true) throw new BackupError('There is no store of Debitdesk yet to back up.')
  const newest = await db.execute(sql`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`)
  const last = firstRow(await db.execute(sql`select sequence, hash from activity order by sequence desc limit 1`))
  return {
    schema: Number(firstRow(newest).at),
    activity: { sequence: Number(last.sequence ?? 0), hash: typeof last.hash === 'string' ? last.hash : '' },
  }
}

/** Writes a file for its owner alone, and waits for the disk. */
export async function writeSynced(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function hashFile(path: string): Promise<string> {
  const file = await open(path)
  try {
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk)
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

/** Waits until a file or a folder is on the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The folders and files of a backup that is being made; all of them are closed to others and on the disk afterwards. */
export async function listContents(folder: string): Promise<Pick<Manifest, 'folders' | 'files'>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const toName = (path: string) => relative(folder, path).split(sep).join('/')
  const contents: Pick<Manifest, 'folders' | 'files'> = { folders: [], files: [] }
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) {
      await chmod(path, 0o700)
      contents.folders.push(toName(path))
    } else {
      await chmod(path, 0o600)
      await syncPath(path)
      contents.files.push({ path: toName(path), bytes: (await stat(path)).size, sha256: await hashFile(path) })
    }
  }
  return contents
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Null for a file that isn't there; what else keeps it from being read is thrown. */
function nullIfMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
  throw error
}

/** Reads a backup's description. Throws BackupError when there is none, as in a backup that was interrupted. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(nullIfMissing)
  if (text === null) throw new BackupError(`There is no backup in ${folder}: it has no ${MANIFEST_FILE}.`)
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    throw new BackupError(`The backup in ${folder} is not of a kind that this version of Debitdesk knows.`)
  }
}

/** Throws BackupError unless a file of the backup in `folder`, or its copy at `path`, is as it was written. */
export async function verifyFile(
  folder: string,
  { path: name, bytes, sha256 }: Manifest['files'][number],
  path: string,
) {
  const stats = await stat(path).catch(nullIfMissing)
  if (!stats) throw new BackupError(`The backup in ${folder} is incomplete: ${name} is missing.`)
  if (stats.size !== bytes || (await hashFile(path)) !== sha256)
    throw new BackupError(`The backup in ${folder} is damaged: ${name} is not as it was written.`)
}

/**
 * Copies the folders and files of a backup to a new folder. Throws BackupError naming a file that is missing, differs or
 * can't be copied, and DatabaseError when the disk has no room for them.
 */
export async function copyVerified(folder: string, { folders, files }: Manifest, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of [...folders, ...files.map(({ path }) => path)])
    if (relative(to, join(to, name)).startsWith('..'))
      throw new BackupError(`The backup in ${folder} names a file outside it.`)
  await requireRoom(to, RESERVE_BYTES + files.reduce((sum, { bytes }) => sum + bytes, 0))
  for (const name of folders) await mkdir(join(to, name), { recursive: true, mode: 0o700 })
  for (const file of files) {
    const target = join(to, file.path)
    await copyFile(join(folder, file.path), target).catch((error: unknown) => {
      // Verified below.
      if (codeOf(error) === 'ENOENT') return
      throw new BackupError(`${file.path} of the backup could not be copied (${String(codeOf(error))}).`)
    })
    await verifyFile(folder, file, target)
    await chmod(target, 0o600)
    await syncPath(target)
  }
}
