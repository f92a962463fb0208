import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { DatabaseError } from './errors'

/** Permissions of group and others. */
const OTHERS_MODE = 0o077
const STICKY_MODE = 0o1000
/** The project's own files in a data folder. */
const ownNames = ['desk', 'service', 'logs', 'secrets.json', 'activity.key', 'activity-heads.jsonl']
/** Files that a volume or an editor leaves there. */
const harmless = /^(?:lost\+found|\..*)$/u

function describeMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

function refuse(folder: string, mode: number, reason: string): never {
  throw new DatabaseError(
    `DATA_DIR ${folder} is open to other users of this machine (mode ${describeMode(mode)}) ${reason}: make it 0700, or name a folder of the desk's own.`,
    '42501',
  )
}

/** Removes the permissions of others from a file, or a folder with its contents; links are not followed. */
export function closeToOthers(path: string): void {
  if (process.platform === 'win32') return
  try {
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) return
    if ((stats.mode & OTHERS_MODE) !== 0) chmodSync(path, stats.mode & 0o7700)
    if (stats.isDirectory()) for (const name of readdirSync(path)) closeToOthers(join(path, name))
  } catch (error) {
    // Another process may have just removed it; files of other owners stay, below a folder that is closed.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'EACCES') throw error
  }
}

/** Closes the folder itself, only if it holds nothing else: DATA_DIR may point to a home folder by mistake. */
function closeTop(folder: string, mode: number): void {
  if ((mode & STICKY_MODE) !== 0) refuse(folder, mode, 'and made to be shared')
  const foreign = readdirSync(folder).find((name) => !ownNames.includes(name) && !harmless.test(name))
  if (foreign !== undefined) refuse(folder, mode, `and holds other things (${foreign})`)
  try {
    chmodSync(folder, 0o700)
  } catch {
    refuse(folder, mode, 'and belongs to somebody else')
  }
  if ((statSync(folder).mode & OTHERS_MODE) !== 0) refuse(folder, mode, 'and its file system keeps no modes')
}

/**
 * Makes the data folder accessible only to its owner, creating it if needed, to protect the secrets, logs and databases
 * in it. An open folder is closed together with the project's files in it. Throws DatabaseError with one line when it
 * cannot be closed or holds other files. Does nothing on Windows, which has no such modes.
 */
export function closeDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const { mode } = statSync(folder)
  if ((mode & OTHERS_MODE) !== 0) closeTop(folder, mode)
  for (const name of ownNames) closeToOthers(join(/*turbopackIgnore: true*/ folder, name))
}

/** Makes files created from now on by this process and its children private. Not possible in a worker thread. */
export function keepFilesPrivate(): void {
  if (isMainThread) process.umask(0o077)
}
