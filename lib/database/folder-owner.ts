import { accessSync, constants, lstatSync, readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseError, nullIfMissing } from './errors'
import { lockFile } from './folder-lock'

/** Throws DatabaseError naming `path`, or a file below it, unless user `own` may read and write it. */
function requireAccess(path: string, own: number): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) requireAccess(join(path, name), own)
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'ENOENT') return
    const remedy =
      code === 'EACCES' ? ` It belongs to user ${lstatSync(path).uid}: give it to user ${own} (chown).` : ''
    throw new DatabaseError(
      `${path} cannot be read and written by user ${own} (${String(code)}). Nothing was changed.${remedy}`,
      '42501',
      { cause },
    )
  }
}

/**
 * Throws DatabaseError when the database in a locked folder is another user's: that user could not read what this process
 * makes there, least of all what root makes. The owner is compared with the lock's, which this process has just made, so
 * that a file system may give all files to one user.
 */
export async function requireOwnDatabase(folder: string): Promise<void> {
  const data = join(folder, 'pglite')
  if (!(await stat(data).catch(nullIfMissing(data)))) return
  const { uid: own } = await stat(join(folder, lockFile))
  const version = join(data, 'PG_VERSION')
  const owner = (await stat(version).catch(nullIfMissing(version)))?.uid ?? own
  // Another user than root is judged by what it may do: volumes are given to a group.
  if (owner !== own && process.geteuid?.() === 0) {
    throw new DatabaseError(
      `The database in ${folder} belongs to user ${owner}, and this process runs as user ${own}. Nothing was changed. Run it as user ${owner} (sudo -u '#${owner}'), or give the folder to user ${own} (chown -R).`,
      '42501',
    )
  }
  requireAccess(data, own)
}
