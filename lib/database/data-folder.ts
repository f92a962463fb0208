import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { DatabaseError } from './errors'

/** Group and others: read, write, enter. */
const others = 0o077
const sticky = 0o1000
/** What this project puts into a data folder. */
const ownNames = ['desk', 'service', 'logs', 'secrets.json', 'activity.key', 'activity-heads.jsonl']
/** What a volume or an editor leaves in one. */
const harmless = /^(?:lost\+found|\..*)$/u

function describeMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

function refuse(folder: string, mode: number, why: string): never {
  throw new DatabaseError(
    `DATA_DIR ${folder} is open to other users of this machine (mode ${describeMode(mode)}) ${why}: make it 0700, or name a folder of the desk's own.`,
    '42501',
  )
}

/** Takes the rights of others from a file or a folder and all that is in it, but not from what links lead to. */
export function closeToOthers(path: string): void {
  if (process.platform === 'win32') return
  try {
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) return
    if ((stats.mode & others) !== 0) chmodSync(path, stats.mode & 0o7700)
    if (stats.isDirectory()) for (const name of readdirSync(path)) closeToOthers(join(path, name))
  } catch (error) {
    // Another process may just have removed it; what belongs to somebody else is theirs, below a top that is closed.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'EPERM' && code !== 'EACCES') throw error
  }
}

/** Only a folder that holds nothing but ours: DATA_DIR may have been pointed at somebody's home by mistake. */
function closeTop(folder: string, mode: number): void {
  if ((mode & sticky) !== 0) refuse(folder, mode, 'and made to be shared')
  const foreign = readdirSync(folder).find((name) => !ownNames.includes(name) && !harmless.test(name))
  if (foreign !== undefined) refuse(folder, mode, `and holds other things (${foreign})`)
  try {
    chmodSync(folder, 0o700)
  } catch {
    refuse(folder, mode, 'and belongs to somebody else')
  }
  if ((statSync(folder).mode & others) !== 0) refuse(folder, mode, 'and its file system keeps no modes')
}

/**
 * Leaves the data folder to its owner alone, making it if it is missing, so that secrets, logs and databases in it are
 * nobody else's. A folder that was open to others is closed, and so is what this project made in it; one that can't be
 * closed, or that holds other things, is refused (DatabaseError, in one line). Windows has no such modes.
 */
export function closeDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const { mode } = statSync(folder)
  if ((mode & others) !== 0) closeTop(folder, mode)
  for (const name of ownNames) closeToOthers(join(/*turbopackIgnore: true*/ folder, name))
}

/** From here on, this process and its children make files that only their owner can read. A worker thread cannot say so. */
export function keepFilesPrivate(): void {
  if (isMainThread) process.umask(0o077)
}
