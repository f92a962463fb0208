import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { makeProcessClock } from './clock'
import { copyFolder, measureFolder } from './copy-folder'
import { closeToOthers } from './data-folder'
import { guardAgainstFullDisk, guardStatements, requireRoom, RESERVE_BYTES } from './disk-space'
import { DatabaseError } from './errors'
import { findDamage, inspectFolder, markCreated, refuseDamaged, RESTORE_FOLDER } from './folder-integrity'
import { type FolderLock, lockFolder } from './folder-lock'
import { requireOwnDatabase } from './folder-owner'
import { type Migrations, needsMigration, readTemplate } from './migrations'
import { tracePglite } from './trace-statements'
import type { Database, NotificationListener, OpenDatabase } from './database'

/** A single statement that only reads. All others may write. */
const readStatement = /^\s*select\b[^;]*$/iu

/**
 * Returns a function that reads a counter of possible writes. It is incremented before each statement that may write, and
 * again before its caller learns of the result. What was read while the counter stood still is therefore still current:
 * only this process uses the PGlite.
 */
export function countWrites(client: PGlite): () => number {
  let count = 0
  for (const name of ['query', 'exec', 'transaction'] as const) {
    const method: unknown = Reflect.get(client, name)
    if (typeof method !== 'function') throw new TypeError(`There is no method ${name}`)
    Reflect.set(client, name, async (...given: unknown[]): Promise<unknown> => {
      const [statement] = given
      if (typeof statement === 'string' && readStatement.test(statement)) return Reflect.apply(method, client, given)
      count += 1
      try {
        return await Reflect.apply(method, client, given)
      } finally {
        count += 1
      }
    })
  }
  return () => count
}

/** The size of an empty database, with some reserve. */
const INITIAL_BYTES = 96 * 1_048_576

/** PGlite reports whatever it finds wrong with its files only as an abort. */
async function create(folder: string): Promise<PGlite> {
  try {
    return await PGlite.create({ dataDir: join(folder, 'pglite') })
  } catch (cause) {
    if (cause instanceof RangeError && /memory|allocat/iu.test(cause.message)) {
      throw new DatabaseError(
        `The database in ${folder} cannot be opened: this process gets no memory for it (${cause.message}). Nothing was changed. Raise its limit of memory or of address space (ulimit -v).`,
        '53200',
        { cause },
      )
    }
    // Of the file system.
    if (cause instanceof Error && 'code' in cause) throw cause
    throw new DatabaseError(
      `The database in ${folder} cannot be opened: its log (pglite/pg_wal) or its catalogue (pglite/global, pglite/base) is damaged. Nothing was changed. Restore a backup of that folder, or move it away to begin with an empty one.`,
      'XX001',
      { cause },
    )
  }
}

/** A database in memory has its pages there anyway. To lay out the usual 128 MB is a third of what opening it costs. */
const smallBuffers = [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB']

async function openFolder(folder: string, lock: FolderLock): Promise<PGlite> {
  await requireOwnDatabase(folder)
  // Of a restore that was killed: a copy of people's data that nothing would erase.
  await rm(join(folder, RESTORE_FOLDER), { recursive: true, force: true })
  const { fresh, checkLater } = await inspectFolder(folder)
  await requireRoom(folder, fresh ? INITIAL_BYTES : undefined)
  const client = await create(folder)
  // PGlite sets its own modes on the files of a new database, whatever the umask.
  if (fresh) closeToOthers(folder)
  if (checkLater) {
    await client.exec('checkpoint')
    const damage = await findDamage(join(folder, 'pglite'))
    if (damage !== null) {
      await client.close()
      throw refuseDamaged(folder, damage)
    }
  }
  await markCreated(folder)
  guardAgainstFullDisk(client, folder)
  guardStatements(client, lock.ensureHeld)
  return client
}

async function migrateClient(client: PGlite, migrations: Migrations): Promise<Database> {
  const db = drizzle(client)
  try {
    if (await needsMigration(db, migrations)) await migrate(db, { migrationsFolder: migrations.folder })
    return db
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error
  }
}

/** PGlite delivers to listeners in this process, after the commit, like Postgres. */
function listenTo(client: PGlite, channel: string, { onMessage, onState }: NotificationListener): () => Promise<void> {
  let isStopped = false
  const listening = client.listen(channel, (payload) => isStopped || onMessage(payload))
  listening.then(
    () => isStopped || onState(true),
    () => onState(false),
  )
  return async () => {
    isStopped = true
    const unlisten = await listening.catch(() => null)
    if (!client.closed) await unlisten?.()
  }
}

/** A transaction that is open meanwhile is in the copy without its end, and so never happened there. */
async function copyFiles(client: PGlite, folder: string, target: string): Promise<void> {
  const data = join(folder, 'pglite')
  // Leaves little of the log to be replayed when the copy is opened.
  await client.exec('checkpoint')
  await requireRoom(folder, RESERVE_BYTES + (await measureFolder(data)))
  await client.runExclusive(() => copyFolder(data, target))
}

/** Takes the folder's lock, which needs a little disk space. */
async function acquireLock(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true })
  await requireRoom(folder)
  return lockFolder(folder)
}

/**
 * Opens PGlite in `folder` under an exclusive lock, or in memory, and migrates it. Throws FolderLockedError when a running
 * process holds the folder, and DatabaseError when the database must not be used.
 */
export async function openPglite(folder: string | undefined, migrations: Migrations): Promise<OpenDatabase> {
  const locked = folder === undefined ? null : { folder, lock: await acquireLock(folder) }
  try {
    const client = locked
      ? await openFolder(locked.folder, locked.lock)
      : await PGlite.create({ loadDataDir: await readTemplate(migrations.folder), startParams: smallBuffers })
    const writes = countWrites(client)
    tracePglite(client)
    const db = await migrateClient(client, migrations)
    const announceClose = () => locked?.lock.announceClose()
    const close = async () => {
      announceClose()
      await client.close()
      await locked?.lock.release()
    }
    const listen: OpenDatabase['listen'] = (channel, listener) => listenTo(client, channel, listener)
    return {
      db,
      kind: 'pglite',
      clock: makeProcessClock(),
      countWrites: writes,
      ...(locked && { copyFiles: (target: string) => copyFiles(client, locked.folder, target) }),
      listen,
      announceClose,
      close,
    }
  } catch (error) {
    await locked?.lock.release()
    throw error
  }
}
