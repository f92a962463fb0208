import { and, eq, isNull } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { sessions } from '@/lib/server/store/schema'
import { type AuthClient, AuthDesk } from '@/lib/server/testing/auth-fixture'

const desk = new AuthDesk()
const hour = 3_600_000

const openOf = (userId: string) =>
  desk.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)))

it('2,000 sessions hold side by side; of one user’s hundred the twenty newest (SE-25)', { timeout: hour }, async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const clients: AuthClient[] = []
  for (let person = 0; person < 100; person += 1) {
    const email = `person-${person}@example.com`
    await desk.addUser(email, 'viewer')
    for (let count = 0; count < 20; count += 1) clients.push(await desk.signIn(email))
  }
  expect(clients).toHaveLength(2_000)
  const read = await Promise.all(clients.map((client) => desk.readSession(client)))
  expect(new Set(read.map((session) => session?.sessionId)).size).toBe(2_000)
  expect(read).not.toContain(null)

  const own: AuthClient[] = []
  for (let count = 0; count < 100; count += 1) own.push(await desk.signIn())
  const held = await Promise.all(own.map(async (client) => (await desk.readSession(client)) !== null))
  expect(held).toEqual(Array.from({ length: 100 }, (_, index) => index >= 80))
  expect(await openOf(desk.userId)).toHaveLength(20)
})
