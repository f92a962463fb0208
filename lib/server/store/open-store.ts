import { join } from 'node:path'
import { closeDataFolder } from '@/lib/database/data-folder'
import { type OpenDatabase, openDatabase } from '@/lib/database/open-database'
import { getSettings } from '../settings'

declare global {
  /** Next loads this module once per module graph (instrumentation, pages, route handlers): the store is one per process. */
  var debitdeskStore: Promise<OpenDatabase> | undefined
}

/** Where the store's migrations lie; the desk is always started from its own folder. */
export const storeMigrations = join(process.cwd(), 'lib/server/store/migrations')

async function openFolder(dataDir: string): Promise<OpenDatabase> {
  closeDataFolder(dataDir)
  return openDatabase({ folder: join(dataDir, 'desk'), migrationsFolder: storeMigrations })
}

/**
 * The desk's own store, opened and migrated on first use: Postgres at DATABASE_URL, else PGlite in
 * DATA_DIR/desk. Throws what openDatabase throws; a failed opening is tried again at the next call.
 */
export function getStore(): Promise<OpenDatabase> {
  if (globalThis.debitdeskStore) return globalThis.debitdeskStore
  const { DATABASE_URL, DATA_DIR } = getSettings()
  const opening = DATABASE_URL
    ? openDatabase({ url: DATABASE_URL, migrationsFolder: storeMigrations })
    : openFolder(DATA_DIR)
  globalThis.debitdeskStore = opening
  opening.catch(() => {
    globalThis.debitdeskStore = undefined
  })
  return opening
}
