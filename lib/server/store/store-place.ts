import { resolve } from 'node:path'
import { inlineSettings, SettingsError } from '../runtime/settings'

/**
 * What DATABASE_URL and the folder of the data say, for commands for which the dashboard's other settings need not be there.
 * Throws SettingsError.
 */
export function readStorePlace(environment: Record<string, string | undefined>): {
  DATABASE_URL: string | undefined
  DATA_DIR: string
} {
  const problems = inlineSettings(environment).filter((problem) => /^(?:DATABASE_URL|DEBITDESK_CONFIG)/u.test(problem))
  if (problems.length > 0) throw new SettingsError(problems)
  const { DATABASE_URL, DATA_DIR } = environment
  return { DATABASE_URL: DATABASE_URL?.trim() || undefined, DATA_DIR: resolve(DATA_DIR?.trim() || '.data') }
}
