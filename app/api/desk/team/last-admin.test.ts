import { eq } from 'drizzle-orm'
import { beforeAll, expect, it, vi } from 'vitest'
import { connections, memberships, users } from '@/lib/server/store/schema'
import { changeRole, disableMember } from '@/lib/server/team/commands'
import { AuthDesk } from '@/lib/server/testing/auth-fixture'

const desk = new AuthDesk()

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})

it('nobody closes an account, not even their own, that is the last admin of another merchant', async () => {
  const bossId = await desk.addUser('boss@example.com', 'admin')
  await desk.addUser('second@example.com', 'admin')
  const boss = await desk.readSession(await desk.signIn('boss@example.com'))
  const second = await desk.readSession(await desk.signIn('second@example.com'))
  if (!boss || !second) throw new Error('not signed in')
  await desk.db.insert(connections).values({ connectionId: 'west', name: 'West' })
  await desk.db.insert(memberships).values({ connectionId: 'west', userId: bossId, role: 'admin' })
  await expect(disableMember(boss, bossId)).rejects.toMatchObject({
    code: 'last-admin',
    evidence: { detail: 'No one else could administer West. Make someone else an admin first.' },
  })
  // There is another admin at this merchant: the role may be removed.
  await changeRole(boss, bossId, 'support')
  await desk.db.update(connections).set({ removedAt: new Date() }).where(eq(connections.connectionId, 'west'))
  await disableMember(second, bossId)
  expect((await desk.db.select().from(users).where(eq(users.id, bossId)))[0]?.disabledAt).toBeInstanceOf(Date)
})
