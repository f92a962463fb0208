import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Thrown when a living process holds the folder. `pid` is that process. */
export class FolderLockedError extends Error {
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(`${folder} is in use by process ${pid}. Stop it first: two processes on one database folder lose data.`)
    this.name = 'FolderLockedError'
  }
}

type Holder = { pid: number; startedAt: string }

/** When a process started, so that a reused pid is not taken for the holder; empty where the system does not tell. */
async function readStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  // A lock that a power cut emptied names nobody; and signal 0 to process 0 would ask our own group.
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const now = await readStart(pid)
  return startedAt === '' || now === '' || now === startedAt
}

async function readHolder(path: string): Promise<Holder | null> {
  const content = await readFile(path, 'utf8').catch(() => null)
  if (content === null) return null
  const [pid, startedAt = ''] = content.trim().split(' ')
  return { pid: Number(pid), startedAt }
}

/** Written through to the disk: a lock that a power cut empties would name nobody. */
async function writeHolder(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(`${process.pid} ${await readStart(process.pid)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Whether the lock is ours now; false when somebody's stands there. Throws where links cannot be made. */
async function takeLock(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Takes the exclusive lock of a database folder and answers how to give it back. PGlite takes no lock
 * of its own, and a second process on its folder loses acknowledged rows in silence. A lock left by a
 * dead process is replaced; a living holder is never robbed: FolderLockedError names its pid.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'debitdesk.lock')
  const mine = `${path}.${process.pid}`
  await writeHolder(mine)
  try {
    for (;;) {
      if (await takeLock(mine, path)) return () => rm(path, { force: true })
      const holder = await readHolder(path)
      if (holder === null) continue
      if (await isAlive(holder)) throw new FolderLockedError(folder, holder.pid)
      // Renaming is atomic: of two processes that found the same dead holder, one gets nothing to move.
      const grave = `${mine}.dead`
      await rename(path, grave).catch(() => undefined)
      const moved = await readHolder(grave)
      // What was moved may be the lock of a third process that was quicker: it gets it back.
      if (moved && moved.pid !== holder.pid) await link(grave, path).catch(() => undefined)
      await rm(grave, { force: true })
    }
  } finally {
    await rm(mine, { force: true })
  }
}
