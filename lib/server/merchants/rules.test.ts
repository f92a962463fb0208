import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import type { ApprovalRule } from '@/lib/domain/cancellations/approval'
import type { Session } from '../auth/session'
import { activity, connections, defaultConnectionId } from '../store/schema'
import { addAdmin, setMemoryStore } from '../testing/store-fixture'
import { changeApprovalRule } from './approval-rule'
import { changeFactorRule } from './factor-rule'

let store: OpenDatabase
let admin: Session

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.env.NEXTAUTH_SECRET = 'a secret for tests that is long enough'
  store = await setMemoryStore()
  admin = await addAdmin(store.db)
})
afterAll(() => store.close())

const readRules = async () =>
  (await store.db.select().from(connections).where(eq(connections.connectionId, defaultConnectionId)))[0]
const count = (action: string) => store.db.$count(activity, eq(activity.action, action))

it('an approval rule is changed only over the one that was shown', async () => {
  const theirs: ApprovalRule = { everyBulk: true, limits: [], hours: 24 }
  const own: ApprovalRule = { hours: 8, limits: [{ amount: '5', currency: 'DKK' }], everyBulk: false }
  await changeApprovalRule(store.db, admin, { before: null, rule: theirs })
  await expect(changeApprovalRule(store.db, admin, { before: null, rule: own })).rejects.toMatchObject({
    code: 'conflict',
  })
  expect((await readRules())?.approval).toEqual(theirs)
  // Sent again where the reply was lost: done already.
  await changeApprovalRule(store.db, admin, { before: null, rule: theirs })
  expect(await count('setting.approval-rule')).toBe(1)
  // The order in which a rule names its parts is none of its own.
  await changeApprovalRule(store.db, admin, { before: { hours: 24, limits: [], everyBulk: true }, rule: own })
  expect((await readRules())?.approval).toEqual(own)
})

it('the roles that need a second factor are changed only over those that were shown', async () => {
  await changeFactorRule(store.db, admin, { before: [], roles: ['viewer', 'support'] })
  const late = changeFactorRule(store.db, admin, { before: [], roles: ['auditor'] })
  await expect(late).rejects.toMatchObject({ code: 'conflict' })
  await changeFactorRule(store.db, admin, { before: [], roles: ['support', 'viewer'] })
  expect(await count('setting.factor-rule')).toBe(1)
  await changeFactorRule(store.db, admin, { before: ['viewer', 'support'], roles: [] })
  expect((await readRules())?.factorRoles).toEqual([])
})
