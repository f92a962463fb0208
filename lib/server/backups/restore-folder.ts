import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hasDatabase, withFolderLocked } from '@/lib/database/copy-folder'
import type { OpenDatabase } from '@/lib/database/database'
import { markCreated, markReplacing, RESTORE_FOLDER } from '@/lib/database/folder-integrity'
import { requireOwnDatabase } from '@/lib/database/folder-owner'
import { openDatabase } from '@/lib/database/open-database'
import { FILES_FOLDER } from './make-backup'
import { BackupError, copyVerified } from './manifest'
import type { RestoreRequest } from './restore-backup'

/**
 * Restores a backup of a PGlite into the folder of a stopped dashboard. It is opened, migrated and accepted beside the
 * store and then takes its place. Returns where the store before was set aside, if there was one.
 */
export async function restoreFolder(
  { backup, manifest, migrationsFolder, replace, interruption }: RestoreRequest,
  folder: string,
  accept: (store: OpenDatabase) => Promise<void>,
): Promise<string | null> {
  if (manifest.kind !== 'pglite')
    throw new BackupError('The backup is of a Postgres: set DATABASE_URL to the one to restore it to.')
  return withFolderLocked(folder, async () => {
    const isFilled = await hasDatabase(folder)
    await requireOwnDatabase(folder)
    if (isFilled && !replace)
      throw new BackupError(`There is a store in ${folder} already. With --replace it is set aside, and kept.`)
    const draft = join(folder, RESTORE_FOLDER)
    const [data, suffix] = [join(folder, FILES_FOLDER), new Date().toISOString().replaceAll(/[-:]|\.\d+/gu, '')]
    try {
      await rm(draft, { recursive: true, force: true })
      await mkdir(draft, { mode: 0o700 })
      await copyVerified(backup, manifest, draft)
      await markCreated(draft)
      const store = await openDatabase({ folder: draft, migrationsFolder })
      try {
        await accept(store)
      } finally {
        await store.close()
      }
      interruption?.throwIfAborted()
      const aside = isFilled ? `${data}-before-${suffix}` : null
      // Before there is anything in it: what a start finds half made it removes.
      await markCreated(folder)
      if (aside !== null) {
        await markReplacing(folder, basename(aside))
        await rename(data, aside)
      }
      try {
        await rename(join(draft, FILES_FOLDER), data)
      } catch (error) {
        if (aside !== null) await rename(aside, data)
        await markCreated(folder)
        throw error
      }
      await markCreated(folder)
      return aside
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  })
}
