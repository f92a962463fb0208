import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/lib/database/database'
import { defaultConnectionId } from '../store/schema'
import { openMemoryStore } from '../testing/store-fixture'
import { createUser } from '../auth/users'
import { acceptLink, listResetsByOthers, makePasswordLink } from './password-links'

let store: OpenDatabase
const email = 'owner@example.com'
const password = 'moss-covered lantern'
const start = new Date('2026-11-25T09:00:00Z')
const after = (days: number) => new Date(start.getTime() + days * 24 * 60 * 60_000)

beforeAll(async () => {
  vi.stubEnv('NEXTAUTH_URL', 'http://127.0.0.1:3000')
  store = await openMemoryStore()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await store.close()
})

it('is shown to its owner once it was used, for a month, with who made the link and when', async () => {
  const { db } = store
  const userId = await createUser(db, { email, password, role: 'viewer', connectionId: defaultConnectionId })
  const user = { id: userId, email }
  const shown = (now: Date) => listResetsByOthers(db, { userId, email }, now)
  const reset = async (madeBy: string, next: string, now: Date) => {
    const { address } = await makePasswordLink(db, { user, kind: 'reset', madeBy }, now)
    await acceptLink(db, { secret: address?.split('#')[1] ?? '', password: next }, now)
  }
  await makePasswordLink(db, { user, kind: 'reset', madeBy: 'boss@example.com' }, start)
  expect(await shown(after(1))).toEqual([])
  await expect(reset('boss@example.com', password, start)).rejects.toMatchObject({
    evidence: { errors: { password: [expect.stringContaining('your current password')] } },
  })
  expect(await shown(after(1))).toEqual([])
  await reset('boss@example.com', 'nine violet ferries', start)
  const seen = { id: expect.any(String), madeBy: 'boss@example.com', at: start.toISOString() }
  expect(await shown(after(29))).toEqual([seen])
  expect(await shown(after(31))).toEqual([])
  await reset(email, 'another lantern entirely', after(2))
  expect(await shown(after(3))).toEqual([seen])
  // Another admin's reset doesn't hide the first.
  await reset('other@example.com', 'seven quiet harbours', after(4))
  const newer = { id: expect.any(String), madeBy: 'other@example.com', at: after(4).toISOString() }
  expect(await shown(after(5))).toEqual([newer, seen])
})
