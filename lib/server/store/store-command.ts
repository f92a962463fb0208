import { resolve } from 'node:path'
import { CommandLineError } from '../runtime/command-line'
import { postgresUrl } from '../runtime/setting-types'
import { inlineSettings, SettingsError } from '../runtime/settings'
import { explainStoreError } from './explain-store-error'

/** Where the store is. `DATA_DIR` is absolute. */
export type StorePlace = { DATABASE_URL: string | undefined; DATA_DIR: string }

/** Not parseSettings: the dashboard's other settings need not be there. Throws SettingsError. */
function readStorePlace(environment: Record<string, string | undefined>): StorePlace {
  const problems = inlineSettings(environment).filter((problem) => /^(?:DATABASE_URL|DEBITDESK_CONFIG)/u.test(problem))
  if (problems.length > 0) throw new SettingsError(problems)
  const { DATABASE_URL = '', DATA_DIR = '' } = environment
  const url = DATABASE_URL.trim() === '' ? undefined : postgresUrl.safeParse(DATABASE_URL)
  if (url?.error) throw new SettingsError(url.error.issues.map(({ message }) => `DATABASE_URL ${message}`))
  return { DATABASE_URL: url?.data, DATA_DIR: resolve(DATA_DIR.trim() || '.data') }
}

function explain(error: unknown): string {
  if (error instanceof SettingsError) return error.lines
  if (error instanceof CommandLineError) return error.message
  // Of the folder's errors the commands speak themselves.
  return explainStoreError(error, { DATABASE_URL: 'given', DATA_DIR: '' })
}

/** Runs a command on the store and prints its lines, or why it failed, with exit code 1. */
export async function runStoreCommand(run: (place: StorePlace) => Promise<string[]>): Promise<void> {
  try {
    for (const line of await run(readStorePlace(process.env))) process.stdout.write(`${line}\n`)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = 1
  }
}
