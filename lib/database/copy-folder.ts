import { constants } from 'node:fs'
import { cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { closeToOthers } from './data-folder'
import type { Database } from './database'
import { DatabaseError } from './errors'
import { findDamage, findMissing } from './folder-integrity'
import { lockFolder } from './folder-lock'

/** Copies a folder to a new one; shares the blocks where the file system can. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, errorOnExist: true, force: false, mode: constants.COPYFILE_FICLONE })
  closeToOthers(to)
}

/** The size of a folder's files in bytes. */
export async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) => stat(join(parentPath, name)).then(({ size }) => size)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Whether there is a database in the folder. */
export async function hasDatabase(folder: string): Promise<boolean> {
  return stat(join(folder, 'pglite')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

/** Throws DatabaseError where there is no database in the folder. */
export async function requireDatabase(folder: string): Promise<void> {
  if (!(await hasDatabase(folder)))
    throw new DatabaseError(`There is no store in ${folder}: name its folder as DATA_DIR.`, '3D000')
}

/**
 * Runs `work` with a database folder that nobody has open, under its lock; the database itself isn't opened, and so not
 * migrated. Throws FolderLockedError.
 */
export async function withFolderLocked<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  await mkdir(folder, { recursive: true })
  const lock = await lockFolder(folder)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/**
 * Opens a copy of a database's files as it is, without migrating it, in `scratch`, which is deleted afterwards. Throws
 * DatabaseError when the copy is damaged.
 */
export async function readCopy<Result>(
  files: string,
  scratch: string,
  read: (db: Database) => Promise<Result>,
): Promise<Result> {
  const refuse = (reason: string) => new DatabaseError(`The copy of the database is damaged: ${reason}.`, 'XX001')
  const missing = await findMissing(files)
  if (missing !== null) throw refuse(missing)
  try {
    await copyFolder(files, scratch)
    const client = await PGlite.create({ dataDir: scratch }).catch((cause: unknown) => {
      throw new DatabaseError('The copy of the database is damaged: it cannot be opened.', 'XX001', { cause })
    })
    try {
      await client.exec('checkpoint')
      const damage = await findDamage(scratch)
      if (damage !== null) throw refuse(damage)
      return await read(drizzle(client))
    } finally {
      await client.close()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
