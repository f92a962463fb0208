import { join } from 'node:path'
import { hasDatabase } from '@/lib/database/copy-folder'
import { closeDataFolder } from '@/lib/database/data-folder'
import type { OpenDatabase } from '@/lib/database/database'
import { openDatabase } from '@/lib/database/open-database'
import { longWork } from '@/lib/database/open-postgres'
import { SettingsError } from '../runtime/settings'
import { explainStoreError } from './explain-store-error'
import { MoveError, moveStore } from './move-store'
import { storeMigrations } from './store'
import { readStorePlace } from './store-place'

/**
 * Copies the desk's store from the folder DATA_DIR/desk to the empty Postgres at DATABASE_URL. The folder is locked
 * meanwhile, so the desk must be stopped; it is not changed.
 */

/** Not made, should there be none. */
async function openFolder(dataDir: string): Promise<OpenDatabase> {
  const folder = join(dataDir, 'desk')
  if (!(await hasDatabase(folder))) throw new MoveError(`There is no store in ${folder}: name its folder as DATA_DIR.`)
  closeDataFolder(dataDir)
  return openDatabase({ folder, migrationsFolder: storeMigrations, migrate: 'if-empty' })
}

async function run(url: string | undefined, dataDir: string): Promise<string[]> {
  if (!url) throw new MoveError('DATABASE_URL is needed: an empty Postgres database.')
  const from = await openFolder(dataDir).catch((error: unknown) => {
    throw error instanceof MoveError
      ? error
      : new MoveError(explainStoreError(error, { DATABASE_URL: undefined, DATA_DIR: dataDir }))
  })
  try {
    const migrationsFolder = storeMigrations
    const to = await openDatabase({ url, migrationsFolder, migrate: 'if-empty', timeouts: longWork })
    try {
      const sums = await moveStore(from.db, to.db)
      return [
        ...[...sums].map(([table, sum]) => `${table}: ${sum}`),
        'Everything was moved. Start the desk with this DATABASE_URL from now on.',
      ]
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

function explain(error: unknown): string {
  if (error instanceof MoveError) return error.message
  if (error instanceof SettingsError) return error.lines
  return explainStoreError(error, { DATABASE_URL: 'given', DATA_DIR: '' })
}

try {
  const { DATABASE_URL, DATA_DIR } = readStorePlace(process.env)
  for (const line of await run(DATABASE_URL, DATA_DIR)) process.stdout.write(`${line}\n`)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
