import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Role } from '@/lib/api-contract/permission'
import { openDatabase } from '@/lib/database/open-database'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { Session } from '../auth/session'
import { createTenantScope } from '../auth/tenant-scope'
import { connections, defaultConnectionId, sessions, users } from '../store/schema'
import { storeMigrations } from '../store/store'

/** Where a Postgres runs on which the tests of the store are to be held; unset, they run on PGlite in memory. */
export const storeServer = process.env.STORE_TEST_DATABASE_URL

/** Makes an empty database on a server and answers its address. */
export async function makeDatabase(server: string): Promise<string> {
  const name = `store_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return server.replace(/\/postgres$/u, `/${name}`)
}

/**
 * A desk's store of its own, migrated, with the connection's row: PGlite in memory, or a database on the Postgres
 * that STORE_TEST_DATABASE_URL names. For tests.
 */
export async function openMemoryStore(): Promise<OpenDatabase> {
  const place = storeServer === undefined ? {} : { url: await makeDatabase(storeServer) }
  const store = await openDatabase({ ...place, migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
  return store
}

/** Makes `getStore` answer a fresh store in memory, for tests of what opens the store by itself. */
export async function setMemoryStore(): Promise<OpenDatabase> {
  const store = await openMemoryStore()
  globalThis.debitdeskStore = Promise.resolve(store)
  return store
}

/** A session of a role at the one connection, without a store behind it. For tests. */
export function makeSession(role: Role): Session {
  return {
    sessionId: randomUUID(),
    userId: randomUUID(),
    email: `${role}@example.com`,
    role,
    scope: createTenantScope(defaultConnectionId),
  }
}

/** Puts a session in a store as one that has just begun, for what needs a recent password. */
export async function keepSession(db: Database, { sessionId, userId, email }: Session): Promise<void> {
  await db.insert(users).values({ id: userId, email })
  await db.insert(sessions).values({ id: sessionId, userId })
}
