import { type OpenDatabase, openDatabase } from '@/lib/database/open-database'
import { defaultConnectionId } from '../store/default-connection'
import { storeMigrations } from '../store/open-store'
import { connections } from '../store/schema'

/** A desk's store in memory, migrated, with the connection's row. For tests. */
export async function openMemoryStore(): Promise<OpenDatabase> {
  const store = await openDatabase({ migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
  return store
}

/** Makes `getStore` answer a fresh store in memory, for tests of what opens the store by itself. */
export async function useMemoryStore(): Promise<OpenDatabase> {
  const store = await openMemoryStore()
  globalThis.debitdeskStore = Promise.resolve(store)
  return store
}
