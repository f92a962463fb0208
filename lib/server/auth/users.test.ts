import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { startSession } from './sessions'
import { defaultConnectionId, sessions, users } from '../store/schema'
import { openMemoryStore } from '../testing/store-fixture'
import { changePassword, createUser, disableUser, findAccount } from './users'

const password = 'moss-covered lantern'
const connectionId = defaultConnectionId

let store: OpenDatabase

beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

it('makes one account per canonical e-mail, however it is spelled', async () => {
  const id = await createUser(store.db, { email: 'Ann@Example.com', password, role: 'admin', connectionId })
  expect(await findAccount(store.db, 'ann@example.com')).toMatchObject({ id, email: 'ann@example.com' })
  for (const email of ['ann@example.com', ' ANN＠example.com', 'ann@example.com.']) {
    await expect(createUser(store.db, { email, password, role: 'viewer', connectionId })).rejects.toMatchObject({
      code: 'conflict',
    })
  }
  for (const email of ['аnn@example.com', 'a\u200Dnn@example.com']) {
    await expect(createUser(store.db, { email, password, role: 'viewer', connectionId })).rejects.toMatchObject({
      evidence: { errors: { email: ['must be an email address'] } },
    })
  }
  expect(await store.db.$count(users)).toBe(1)
})

it('refuses a common password, at creation and at a change', async () => {
  const refused = {
    evidence: { errors: { password: [expect.stringContaining('too common')] } },
  }
  const user = { email: 'ben@example.com', password: 'password1', role: 'viewer', connectionId } as const
  await expect(createUser(store.db, user)).rejects.toMatchObject(refused)
  const ann = await findAccount(store.db, 'ann@example.com')
  if (!ann) throw new Error('no account')
  await expect(changePassword(store.db, ann, 'password1', new Date())).rejects.toMatchObject(refused)
  // The name of their merchant, and their current password.
  const others = { 'Test-Merchant-2026': /others know “merchant”/u, [password]: /your current password/u }
  for (const [other, reason] of Object.entries(others))
    await expect(changePassword(store.db, ann, other, new Date())).rejects.toMatchObject({
      evidence: { errors: { password: [expect.stringMatching(reason)] } },
    })
})

it('ends all sign-ins of an account whose password changes or that is disabled', async () => {
  const id = await createUser(store.db, { email: 'cleo@example.com', password, role: 'viewer', connectionId })
  const open = async () =>
    (await store.db.select().from(sessions).where(eq(sessions.userId, id))).filter(({ endedAt }) => endedAt === null)
  await startSession(store.db, id, new Date())
  await startSession(store.db, id, new Date())
  expect(await open()).toHaveLength(2)
  const account = await findAccount(store.db, 'cleo@example.com')
  if (!account) throw new Error('no account')
  await changePassword(store.db, account, 'another lantern entirely', new Date())
  expect(await open()).toHaveLength(0)
  await startSession(store.db, id, new Date())
  await disableUser(store.db, id, new Date())
  expect(await open()).toHaveLength(0)
  expect(await findAccount(store.db, 'cleo@example.com')).toBeNull()
  expect((await store.db.select().from(users).where(eq(users.id, id)))[0]?.disabledAt).toBeInstanceOf(Date)
})
