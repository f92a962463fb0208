import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Role } from '@/lib/api-contract/permission'
import { openDatabase } from '@/lib/database/open-database'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { Session } from '../auth/session'
import { createTenantScope } from '../auth/tenant-scope'
import { connections, defaultConnectionId, memberships, sessions, users } from '../store/schema'
import { storeMigrations } from '../store/store'

/** The address of a Postgres for the tests of the store; if unset they run on PGlite in memory. */
export const storeServer = process.env.STORE_TEST_DATABASE_URL

/** Creates a database on a server, empty or as the one named `template`, and returns its address. */
export async function makeDatabase(server: string, template = 'template1'): Promise<string> {
  const name = `store_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name} template ${template}`)
  await client.end()
  return server.replace(/\/postgres$/u, `/${name}`)
}

/** The name of a migrated database on a server, which nobody else opens. */
async function makeTemplate(server: string): Promise<string> {
  const url = await makeDatabase(server)
  const { close } = await openDatabase({ url, migrationsFolder: storeMigrations })
  await close()
  return new URL(url).pathname.slice(1)
}

const migrated = new Map<string, Promise<string>>()

/** Creates a migrated database without rows on a server and returns its address. Migrates once for each test file. */
export async function makeMigratedDatabase(server: string): Promise<string> {
  const template = migrated.get(server) ?? makeTemplate(server)
  migrated.set(server, template)
  return makeDatabase(server, await template)
}

/**
 * A migrated store with the connection's row: PGlite in memory, or a new database on the Postgres at
 * STORE_TEST_DATABASE_URL. For tests.
 */
export async function openMemoryStore(): Promise<OpenDatabase> {
  const place = storeServer === undefined ? {} : { url: await makeMigratedDatabase(storeServer) }
  const store = await openDatabase({ ...place, migrationsFolder: storeMigrations })
  await store.db.insert(connections).values({ connectionId: defaultConnectionId, name: 'Test merchant' })
  return store
}

/** Makes `getStore` return a new in-memory store, for code that opens the store itself. */
export async function setMemoryStore(): Promise<OpenDatabase> {
  const store = await openMemoryStore()
  globalThis.debitdeskStore = Promise.resolve(store)
  return store
}

/** A session with a role at the default connection, not in any store. For tests. */
export function makeSession(role: Role): Session {
  return {
    sessionId: randomUUID(),
    userId: randomUUID(),
    email: `${role}@example.com`,
    role,
    scope: createTenantScope(defaultConnectionId),
  }
}

/** Stores a session that has just begun, for what requires a recent password. */
export async function keepSession(db: Database, { sessionId, userId, email }: Session): Promise<void> {
  await db.insert(users).values({ id: userId, email })
  await db.insert(sessions).values({ id: sessionId, userId })
}

/** Stores another admin of a merchant, just signed in. */
export async function addAdmin(db: Database, connectionId = defaultConnectionId): Promise<Session> {
  const made = makeSession('admin')
  const session = { ...made, email: `${made.userId}@example.com`, scope: createTenantScope(connectionId) }
  await keepSession(db, session)
  await db.insert(memberships).values({ connectionId, userId: session.userId, role: 'admin' })
  return session
}
