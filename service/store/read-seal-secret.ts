import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseRefusal } from '@/lib/database/database-refusal'

/** Beside the database, never in it: whoever has a copy of the database alone can open nothing. */
const file = 'seal.key'

async function makeFile(path: string): Promise<void> {
  const mine = `${path}.${process.pid}`
  const handle = await open(mine, 'w', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // Linked, not renamed: of two processes that start at once the first one's stays.
  await link(mine, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(mine, { force: true })
}

/**
 * The secret under which the database's own secrets are sealed: the setting where there is one, else
 * `seal.key` in the service's folder, made at first start and read by its owner alone, else one for this
 * process. Throws DatabaseRefusal for a file that was cut short.
 */
export async function readSealSecret(folder: string | undefined, given: string | undefined): Promise<string> {
  if (given) return given
  if (!folder) return randomBytes(32).toString('base64url')
  await mkdir(folder, { recursive: true })
  const path = join(folder, file)
  const read = () => readFile(path, 'utf8').catch(() => null)
  if ((await read()) === null) await makeFile(path)
  const secret = (await read())?.trim() ?? ''
  if (secret.length >= 32) return secret
  throw new DatabaseRefusal(`${path} is damaged. Restore it from a backup, or set SERVICE_SECRET.`, 'XX001')
}
