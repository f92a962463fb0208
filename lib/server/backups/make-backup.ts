import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { refuseUnfinishedRestore } from '@/lib/database/migrations'
import { copyFolder, hasDatabase, measureFolder, readCopy, withFolderLocked } from '@/lib/database/copy-folder'
import { requireRoom, RESERVE_BYTES } from '@/lib/database/disk-space'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { STOPPED, withRunningCopy } from './copy-socket'
import {
  BackupError,
  listContents,
  MANIFEST_FILE,
  type Manifest,
  readStoreFacts,
  codeOf,
  syncPath,
  writeSynced,
} from './manifest'
import { onlyStore, runClient } from './postgres-client'

type StoreFacts = Pick<Manifest, 'schema' | 'activity'>

export const DUMP_FILE = 'store.dump'
export const FILES_FOLDER = 'pglite'

/**
 * Copies the files of a PGlite; the copy is opened once, so that one which can't be is never taken for a backup. It is opened
 * in a second copy, and the disk may be the store's own.
 */
async function keepFiles(files: string, draft: string, bytes?: number): Promise<StoreFacts> {
  await requireRoom(dirname(draft), RESERVE_BYTES + 2 * (bytes ?? (await measureFolder(files))))
  await copyFolder(files, join(draft, FILES_FOLDER)).catch((error: unknown) => {
    throw bytes !== undefined && codeOf(error) === 'ENOENT' ? new BackupError(STOPPED) : error
  })
  if (bytes !== undefined && (await measureFolder(join(draft, FILES_FOLDER))) !== bytes) throw new BackupError(STOPPED)
  return readCopy(join(draft, FILES_FOLDER), join(draft, 'opened'), readStoreFacts)
}

/** Of a stopped dashboard from its folder, of a running one from a copy that it makes. */
async function backUpFolder(folder: string, draft: string, interruption?: AbortSignal): Promise<StoreFacts> {
  if (!(await hasDatabase(folder))) throw new BackupError(`There is no store in ${folder} to back up.`)
  try {
    return await withFolderLocked(folder, () => keepFiles(join(folder, FILES_FOLDER), draft))
  } catch (error) {
    if (!(error instanceof FolderLockedError)) throw error
    return withRunningCopy(folder, (copy, bytes) => keepFiles(copy, draft, bytes), interruption)
  }
}

/** It lasts as long as pg_dump, whatever limits its role has. Not of the session, which may be a pooler's. */
const unlimitedTransaction = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  select set_config(name, '0', true) from pg_settings where name = 'transaction_timeout';`

/** The facts are read in the same snapshot that is dumped. */
async function backUpPostgres(url: string, draft: string, interruption?: AbortSignal): Promise<StoreFacts> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`begin isolation level repeatable read, read only; ${unlimitedTransaction}`)
    await refuseUnfinishedRestore(drizzle(client))
    const facts = await readStoreFacts(drizzle(client))
    const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
    const file = join(draft, DUMP_FILE)
    const options = ['--format=custom', '--no-owner', '--no-privileges', '--no-password', '--lock-wait-timeout=60s']
    await runClient('pg_dump', { url, interruption }, [
      ...options,
      ...onlyStore,
      `--snapshot=${rows[0]?.id ?? ''}`,
      `--file=${file}`,
    ])
    return facts
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** `debitdesk-20261128T080000Z`. */
function nameBackup(at: Date): string {
  return `debitdesk-${at.toISOString().replaceAll(/[-:]|\.\d+/gu, '')}`
}

/**
 * Makes a backup of the store in a new folder below `to`, for its owner alone. It gets its name once it is complete and on
 * the disk. Returns its path and description. Throws BackupError, DatabaseError, errors of the file system and Postgres, and
 * the reason of `interruption`, which gives it up; then nothing is left of it.
 */
export async function makeBackup(
  store: { url: string } | { folder: string },
  to: string,
  now = new Date(),
  interruption?: AbortSignal,
): Promise<{ path: string; manifest: Manifest }> {
  const path = join(to, nameBackup(now))
  if (await stat(path).catch(() => null)) throw new BackupError(`${path} exists already.`)
  const draft = join(to, `.unfinished-${randomUUID()}`)
  await mkdir(to, { recursive: true, mode: 0o700 })
  await mkdir(draft, { mode: 0o700 })
  try {
    const facts =
      'url' in store
        ? await backUpPostgres(store.url, draft, interruption)
        : await backUpFolder(store.folder, draft, interruption)
    interruption?.throwIfAborted()
    const kind = 'url' in store ? 'postgres' : 'pglite'
    const contents = await listContents(draft)
    const manifest: Manifest = { format: 1, kind, at: now.toISOString(), ...facts, ...contents }
    await writeSynced(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`)
    await syncPath(draft)
    interruption?.throwIfAborted()
    await rename(draft, path)
    await syncPath(to)
    return { path, manifest }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
