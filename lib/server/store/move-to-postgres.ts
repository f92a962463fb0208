import { join } from 'node:path'
import { hasDatabase } from '@/lib/database/copy-folder'
import { closeDataFolder } from '@/lib/database/data-folder'
import { openDatabase } from '@/lib/database/open-database'
import { longWork } from '@/lib/database/open-postgres'
import { inlineSettings } from '../runtime/settings'
import { explainStoreError } from './explain-store-error'
import { MoveError, moveStore } from './move-store'
import { storeMigrations } from './store'

/**
 * Copies the desk's store from the folder DATA_DIR/desk to the empty Postgres at DATABASE_URL. The folder is locked
 * meanwhile, so the desk must be stopped; it is not changed.
 */

async function run(url: string | undefined, dataDir: string): Promise<string[]> {
  if (!url) throw new MoveError('DATABASE_URL is needed: an empty Postgres database.')
  closeDataFolder(dataDir)
  const folder = join(dataDir, 'desk')
  if (!(await hasDatabase(folder))) throw new MoveError(`There is no store in ${folder}: name its folder as DATA_DIR.`)
  const migrationsFolder = storeMigrations
  const from = await openDatabase({ folder, migrationsFolder, migrate: 'if-empty' })
  try {
    const to = await openDatabase({ url, migrationsFolder, timeouts: longWork })
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

// Not parseSettings: the rest of the dashboard's settings need not be right for this.
inlineSettings(process.env)
const { DATABASE_URL, DATA_DIR = '.data' } = process.env
try {
  for (const line of await run(DATABASE_URL, DATA_DIR)) process.stdout.write(`${line}\n`)
} catch (error) {
  const text = error instanceof MoveError ? error.message : explainStoreError(error, { DATABASE_URL, DATA_DIR })
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
