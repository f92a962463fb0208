import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '@/lib/database/open-database'
import type { OpenDatabase } from '@/lib/database/database'
import { authenticate } from '../auth/sign-in'
import { prepareStore } from './initial-data'
import { startSession } from '../auth/sessions'
import { connections, defaultConnectionId, memberships, sessions, users } from '../store/schema'
import { storeMigrations } from '../store/store'
import { createUser } from '../auth/users'

const admin = { DESK_ADMIN_EMAIL: 'Ann@example.com', DESK_ADMIN_PASSWORD: 'moss-covered lantern' }
const demo = [
  { role: 'admin', email: 'admin@debitdesk.example', password: 'rafo-timu-keda-bosi' },
  { role: 'viewer', email: 'viewer@debitdesk.example', password: 'vuma-golo-hepa-jusi' },
] as const

let store: OpenDatabase

beforeAll(async () => {
  store = await openDatabase({ migrationsFolder: storeMigrations })
})
beforeEach(async () => {
  for (const table of [sessions, memberships, users, connections]) await store.db.delete(table)
})
afterAll(() => store.close())

function prepare(settings: Parameters<typeof prepareStore>[1]['settings'], now = new Date()): Promise<void> {
  return prepareStore(store.db, { settings, connectionName: 'Embedded service', now })
}

async function canSignIn(email: string, password: string): Promise<boolean> {
  return (await authenticate(store.db, { email, password, peer: 'peer' }, new Date())) !== null
}

async function readRole(email: string): Promise<string | undefined> {
  const rows = await store.db.select().from(memberships).innerJoin(users, eq(users.id, memberships.userId))
  return rows.find(({ users: user }) => user.email === email)?.memberships.role
}

describe('the first admin', () => {
  it('is made once, and stays as it is at later starts', async () => {
    await prepare(admin)
    await prepare({ ...admin, DESK_ADMIN_PASSWORD: 'another lantern entirely' })
    await prepare({ DESK_ADMIN_EMAIL: 'ben@example.com', DESK_ADMIN_PASSWORD: 'moss-covered lantern' })
    await prepare({})
    expect(await store.db.select().from(users)).toHaveLength(1)
    expect(await canSignIn('ann@example.com', 'moss-covered lantern')).toBe(true)
    expect(await readRole('ann@example.com')).toBe('admin')
  })

  it('needs a password that may be chosen', async () => {
    await expect(prepare({ ...admin, DESK_ADMIN_PASSWORD: 'password1' })).rejects.toThrow(
      'DESK_ADMIN_PASSWORD is too common',
    )
  })

  it('is asked for when nobody could sign in otherwise', async () => {
    await expect(prepare({})).rejects.toThrow('DESK_ADMIN_EMAIL is needed')
  })
})

describe('demo sign-ins', () => {
  it('are made with their roles and follow the passwords that a start prints', async () => {
    await prepare({ DEMO_SIGN_INS: [...demo] })
    expect(await canSignIn(demo[1].email, demo[1].password)).toBe(true)
    expect(await readRole(demo[1].email)).toBe('viewer')
    await prepare({ DEMO_SIGN_INS: [{ ...demo[1], password: 'kodo-numa-pilo-veru' }] })
    expect(await canSignIn(demo[1].email, demo[1].password)).toBe(false)
    expect(await canSignIn(demo[1].email, 'kodo-numa-pilo-veru')).toBe(true)
  })

  it('keep their sign-ins over a restart, and lose them with their account at a start without', async () => {
    await prepare({ DEMO_SIGN_INS: [...demo] })
    const [user] = await store.db.select().from(users).where(eq(users.email, demo[0].email))
    await startSession(store.db, user?.id ?? '', new Date())
    await prepare({ DEMO_SIGN_INS: [...demo] })
    expect((await store.db.select().from(sessions))[0]?.endedAt).toBeNull()
    await prepare(admin)
    expect((await store.db.select().from(sessions))[0]?.endedAt).not.toBeNull()
    for (const { email, password } of demo) expect(await canSignIn(email, password)).toBe(false)
    await prepare({ DEMO_SIGN_INS: [...demo] })
    expect(await canSignIn(demo[0].email, demo[0].password)).toBe(true)
  })

  it('never take over the account of a person', async () => {
    await prepare(admin)
    await createUser(store.db, {
      ...demo[0],
      role: 'viewer',
      password: 'own lantern, own moss',
      connectionId: defaultConnectionId,
    })
    await prepare({ DEMO_SIGN_INS: [...demo] })
    expect(await canSignIn(demo[0].email, demo[0].password)).toBe(false)
    expect(await canSignIn(demo[0].email, 'own lantern, own moss')).toBe(true)
    expect(await readRole(demo[0].email)).toBe('viewer')
  })
})

it('names the connection', async () => {
  await prepare(admin)
  await prepareStore(store.db, { settings: {}, connectionName: 'service.example', now: new Date() })
  expect(await store.db.select().from(connections)).toMatchObject([
    { connectionId: 'default', name: 'service.example' },
  ])
})
