import { join } from 'node:path'
import { requireDatabase } from '@/lib/database/copy-folder'
import { closeDataFolder } from '@/lib/database/data-folder'
import type { OpenDatabase } from '@/lib/database/database'
import { DatabaseError } from '@/lib/database/errors'
import { openDatabase } from '@/lib/database/open-database'
import { longWork } from '@/lib/database/open-postgres'
import { readCommandLine } from '../runtime/command-line'
import { SettingsError } from '../runtime/settings'
import { explainStoreError } from './explain-store-error'
import { moveStore } from './move-store'
import { storeMigrations } from './store'
import { runStoreCommand, type StorePlace } from './store-command'

/**
 * Copies the desk's store from the folder DATA_DIR/desk to the empty Postgres at DATABASE_URL. The folder is locked
 * meanwhile, so the desk must be stopped; it is not changed.
 */

const usage = 'npm run move-store       copies the store in DATA_DIR to the empty Postgres at DATABASE_URL'

const options = { migrationsFolder: storeMigrations, migrate: 'if-empty' } as const

/** Not made, should there be none. Throws DatabaseError. */
async function openFolder(dataDir: string): Promise<OpenDatabase> {
  const folder = join(dataDir, 'desk')
  try {
    await requireDatabase(folder)
    closeDataFolder(dataDir)
    return await openDatabase({ folder, ...options })
  } catch (cause) {
    throw new DatabaseError(explainStoreError(cause, { DATABASE_URL: undefined, DATA_DIR: dataDir }), '58000', {
      cause,
    })
  }
}

async function move({ DATABASE_URL: url, DATA_DIR }: StorePlace): Promise<string[]> {
  readCommandLine(usage, { options: {} })
  if (url === undefined) throw new SettingsError(['DATABASE_URL is needed: an empty Postgres database'])
  const from = await openFolder(DATA_DIR)
  try {
    const to = await openDatabase({ url, ...options, timeouts: longWork })
    try {
      const sums = await moveStore(from.db, to.db)
      return [
        ...[...sums].map(([table, sum]) => `${table}: ${sum}`),
        'Everything was moved. Start the dashboard with this DATABASE_URL from now on.',
      ]
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

await runStoreCommand(move)
