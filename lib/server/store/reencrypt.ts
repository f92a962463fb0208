import { DatabaseError } from '@/lib/database/errors'
import { FolderLockedError } from '@/lib/database/folder-lock'
import { CommandLineError, readCommandLine } from '../runtime/command-line'
import { describeError } from '../runtime/log'
import { getSettings, SettingsError } from '../runtime/settings'
import { getStore } from './store'
import { type ReencryptionCounts, reencryptStore } from './reencryption'

/*
 * Re-encrypts the store with NEXTAUTH_SECRET as a separate process: on DATABASE_URL at any time, on a folder while the
 * dashboard is stopped. Exit code 0: everything uses the current secret; 1: something does not; 2: it could not be done.
 */

const usage = `npm run reseal       seals the store's secrets with NEXTAUTH_SECRET; NEXTAUTH_SECRET_PREVIOUS is the one before`

function explain(error: unknown): string {
  if (error instanceof FolderLockedError)
    return `The dashboard is running (process ${error.pid}). Stop it first, then reseal.`
  if (error instanceof CommandLineError || error instanceof DatabaseError) return error.message
  if (error instanceof SettingsError) return error.problems.map((problem) => `Setting ${problem}.`).join('\n')
  const { code, name } = describeError(error)
  return `The store could not be sealed anew (${code ?? name}). What was done holds; run it again.`
}

function describeCounts(kind: string, { current, resealed, changed, unreadable }: ReencryptionCounts): string {
  return [
    `${kind}: ${resealed} sealed anew, ${current} already were`,
    ...(changed > 0 ? [`${changed} changed meanwhile (run it again)`] : []),
    ...(unreadable > 0 ? [`${unreadable} open with neither secret`] : []),
  ].join(', ')
}

async function run(): Promise<boolean> {
  readCommandLine(usage, { options: {} })
  if (!getSettings().NEXTAUTH_SECRET) throw new SettingsError(['NEXTAUTH_SECRET is needed: the one to seal with'])
  const store = await getStore('must-exist')
  try {
    const result = Object.entries(await reencryptStore(store.db))
    for (const [kind, counts] of result) process.stdout.write(`${describeCounts(kind, counts)}\n`)
    return result.every(([, { changed, unreadable }]) => changed + unreadable === 0)
  } finally {
    await store.close()
  }
}

try {
  process.exitCode = (await run()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 2
}
