import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { countWrites } from './count-writes'
import { closeToOthers } from './data-folder'
import { DatabaseRefusal } from './database-refusal'
import { guardAgainstFullDisk, guardStatements, requireRoom } from './disk-room'
import { findDamage } from './find-damage'
import { type FolderLock, lockFolder } from './folder-lock'
import { inspectFolder, noteMade, refuseDamaged } from './folder-state'
import type { Database, OpenDatabase } from './open-database'
import { readTemplate } from './read-template'
import { refuseNewerSchema } from './refuse-newer-schema'
import { makeProcessClock } from './store-clock'

/** Bytes that an empty database takes, with room to begin. */
const firstRoom = 96 * 1_048_576

/** PGlite says of everything that keeps it from opening only that it aborted. */
async function create(folder: string): Promise<PGlite> {
  try {
    return await PGlite.create({ dataDir: join(folder, 'pglite') })
  } catch (cause) {
    throw new DatabaseRefusal(
      `The database in ${folder} cannot be opened: its log (pglite/pg_wal) or its catalogue (pglite/global, pglite/base) is damaged. Nothing was changed. Restore a backup of that folder, or move it away to begin with an empty one.`,
      'XX001',
      { cause },
    )
  }
}

async function openFolder(folder: string, held: FolderLock): Promise<PGlite> {
  const { fresh, checkLater } = await inspectFolder(folder)
  await requireRoom(folder, fresh ? firstRoom : undefined)
  const client = await create(folder)
  // PGlite gives the files of a new database modes of its own, whatever the umask.
  if (fresh) closeToOthers(folder)
  if (checkLater) {
    await client.exec('checkpoint')
    const damage = await findDamage(join(folder, 'pglite'))
    if (damage !== null) {
      await client.close()
      throw refuseDamaged(folder, damage)
    }
  }
  await noteMade(folder)
  guardAgainstFullDisk(client, folder)
  guardStatements(client, held.ensureHeld)
  return client
}

async function migrateClient(client: PGlite, migrationsFolder: string): Promise<Database> {
  const db = drizzle(client)
  try {
    await refuseNewerSchema(db, migrationsFolder)
    await migrate(db, { migrationsFolder })
    return db
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error
  }
}

/** Takes the folder's lock, which needs a little room itself. */
async function lock(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true })
  await requireRoom(folder)
  return lockFolder(folder)
}

/**
 * Opens PGlite in `folder` under an exclusive lock, or in memory, and brings its schema up to date. Throws
 * FolderLockedError when a living process holds the folder, and DatabaseRefusal when it is damaged, was made
 * by a newer version, or has no room.
 */
export async function openPglite(folder: string | undefined, migrationsFolder: string): Promise<OpenDatabase> {
  const held = folder === undefined ? null : { folder, lock: await lock(folder) }
  try {
    const client = held
      ? await openFolder(held.folder, held.lock)
      : await PGlite.create({ loadDataDir: await readTemplate(migrationsFolder) })
    const writes = countWrites(client)
    const db = await migrateClient(client, migrationsFolder)
    const announceClose = () => held?.lock.announceClose()
    const close = async () => {
      announceClose()
      await client.close()
      await held?.lock.release()
    }
    return { db, kind: 'pglite', clock: makeProcessClock(), countWrites: writes, announceClose, close }
  } catch (error) {
    await held?.lock.release()
    throw error
  }
}
