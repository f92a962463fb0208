import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseRefusal } from './database-refusal'
import { findDamage, findMissing, wasShutDown } from './find-damage'

/** Beside the database: whether it is still being made or was made. Without it a lost database would be taken for a new one. */
const stateFile = 'debitdesk.database'

async function writeState(folder: string, state: 'making' | 'made'): Promise<void> {
  const path = join(folder, stateFile)
  const file = await open(`${path}.new`, 'w')
  try {
    await file.writeFile(`${state}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

export function refuseDamaged(folder: string, reason: string): DatabaseRefusal {
  return new DatabaseRefusal(
    `The database in ${folder} is damaged: pglite/${reason}. Nothing was changed. Restore a backup of that folder, or move it away to begin with an empty one.`,
    'XX001',
  )
}

/**
 * Looks at a database folder before it is opened, and makes it ready for a new one where there was none (or
 * where making it was cut short). Throws DatabaseRefusal, naming the file, when part of it is missing or
 * damaged. Answers whether the pages are still to be checked once the log has mended them.
 */
export async function inspectFolder(folder: string): Promise<{ fresh: boolean; checkLater: boolean }> {
  const state = (await readFile(join(folder, stateFile), 'utf8').catch(() => '')).trim()
  const data = join(folder, 'pglite')
  const there = Boolean(await stat(data).catch(() => null))
  if (state === 'making' || (state === '' && !there)) {
    await writeState(folder, 'making')
    await rm(data, { recursive: true, force: true })
    return { fresh: true, checkLater: false }
  }
  const missing = there ? await findMissing(data) : 'PG_VERSION is missing'
  if (missing !== null) throw refuseDamaged(folder, missing)
  const rested = await wasShutDown(data)
  const damage = rested ? await findDamage(data) : null
  if (damage !== null) throw refuseDamaged(folder, damage)
  return { fresh: false, checkLater: !rested }
}

/** To be called once a database has opened: from now on it must be there. */
export async function noteMade(folder: string): Promise<void> {
  const state = await readFile(join(folder, stateFile), 'utf8').catch(() => '')
  if (state.trim() !== 'made') await writeState(folder, 'made')
}
