import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../open-database'
import { dropOthers, nameTemplate, templates } from '../migrations'

const run = promisify(execFile)

/** Made and closed in peace, then moved into its place whole: several processes may make it at once. */
async function makeTemplate(place: string, migrationsFolder: string): Promise<void> {
  const draft = join(templates(), randomUUID())
  await (await openDatabase({ folder: draft, migrationsFolder })).close()
  await rename(draft, place).catch(() => rm(draft, { recursive: true, force: true }))
}

/**
 * Makes `folder` the database folder of a program that has been started once, and has had these migrations, and
 * holds no row: a copy, which takes a tenth of a second where making one takes several. For tests that are not
 * about the first start.
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
