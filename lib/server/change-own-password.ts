import { eq } from 'drizzle-orm'
import { appendActivity } from './activity/append-activity'
import { Failure } from './failure'
import { provePassword } from './prove-password'
import type { Session } from './session'
import { requireStore } from './store/require-store'
import { users } from './store/schema'
import { changePassword } from './users'

/**
 * Changes one's own password: the old one is asked for, all other sign-ins end, this one goes on (SE-07). Throws
 * Failure 'wrong-password', 'too-many-attempts', and 'bad-request' (errors under `password`).
 */
export async function changeOwnPassword(
  session: Session,
  { current, password, peer }: { current: string; password: string; peer: string },
  now = new Date(),
): Promise<void> {
  const db = await requireStore()
  await provePassword(db, session, { password: current, peer }, now)
  const [user] = await db.select().from(users).where(eq(users.id, session.userId))
  if (!user) throw new Failure('signed-out')
  await changePassword(
    db,
    user,
    password,
    now,
    async (tx) => {
      await appendActivity(tx, {
        connectionId: session.scope.connectionId,
        at: now,
        actor: session.email,
        action: 'user.password-changed',
        objectKind: 'user',
        objectId: session.email,
        details: {},
      })
    },
    session.sessionId,
  )
}
