import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../open-database'
import { dropOthers, dropTemplateDatabases, nameTemplate, templates } from '../migrations'

const run = promisify(execFile)

/** Creates and closes the database properly, then moves it into place atomically: several processes may do so at once. */
async function makeTemplate(path: string, migrationsFolder: string): Promise<void> {
  const draft = join(templates(), randomUUID())
  const { db, close } = await openDatabase({ folder: draft, migrationsFolder })
  // The check of a folder wants template1 to be there.
  await dropTemplateDatabases(db, ['template0'])
  await close()
  await rename(draft, path).catch(() => rm(draft, { recursive: true, force: true }))
}

/**
 * Makes `folder` an empty, migrated database folder, as after a program's first start. Copying takes a tenth of a second
 * instead of several. For tests that are not about the first start.
 */
export async function copyMigratedFolder(folder: string, migrationsFolder: string): Promise<void> {
  const { kind, name } = await nameTemplate(migrationsFolder, 'folder')
  const place = join(templates(), name)
  if (!(await stat(place).catch(() => null))) {
    await mkdir(templates(), { recursive: true })
    await makeTemplate(place, migrationsFolder)
    await dropOthers(kind, name)
  }
  await mkdir(folder, { recursive: true })
  await run('cp', ['-R', `${place}/.`, folder])
}
