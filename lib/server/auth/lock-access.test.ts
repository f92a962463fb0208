import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { changeApprovalRule } from '../merchants/approval-rule'
import { changeFactorRule } from '../merchants/factor-rule'
import { activity, connections, defaultConnectionId, memberships, sessions, users } from '../store/schema'
import { changeRole, inviteUser } from '../team/commands'
import { addAdmin, setMemoryStore } from '../testing/store-fixture'
import type { Session } from './session'

/* Admins whose page asked while they still were one, and what has become of them when it is written. */

let store: OpenDatabase
let admin: Session

beforeAll(async () => {
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  store = await setMemoryStore()
})
afterAll(() => store.close())

beforeEach(async () => {
  admin = await addAdmin(store.db)
})

const invite = () => inviteUser(admin, { email: 'new@example.com', role: 'admin' })
const changes: [what: string, change: () => Promise<unknown>][] = [
  ['invitation', invite],
  ['change of a role', () => changeRole(admin, admin.userId, 'admin')],
  ['change of the approval rule', () => changeApprovalRule(store.db, admin, { before: null, rule: null })],
  ['change of the rule of second factors', () => changeFactorRule(store.db, admin, { before: [], roles: [] })],
]

it.each(changes)('%s: by somebody who is no admin any more is refused', async (_, change) => {
  const own = and(eq(memberships.userId, admin.userId), eq(memberships.connectionId, defaultConnectionId))
  await store.db.update(memberships).set({ role: 'support' }).where(own)
  const before = await store.db.$count(activity)
  await expect(change()).rejects.toMatchObject({ code: 'forbidden' })
  await store.db.delete(memberships).where(own)
  await expect(change()).rejects.toMatchObject({ code: 'forbidden' })
  expect(await store.db.$count(activity)).toBe(before)
})

it('nobody is invited to a merchant that was removed', async () => {
  await store.db.insert(connections).values({ connectionId: 'm-gone', name: 'Gone', removedAt: new Date() })
  admin = await addAdmin(store.db, 'm-gone')
  await expect(invite()).rejects.toMatchObject({ code: 'not-found' })
  expect(await store.db.$count(users, eq(users.email, 'new@example.com'))).toBe(0)
})

it('a sign-in that has ended changes no rule', async () => {
  await store.db.update(sessions).set({ endedAt: new Date() }).where(eq(sessions.id, admin.sessionId))
  const change = changeApprovalRule(store.db, admin, { before: null, rule: null })
  await expect(change).rejects.toMatchObject({ code: 'signed-out' })
})
