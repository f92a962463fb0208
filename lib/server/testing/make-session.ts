import { randomUUID } from 'node:crypto'
import type { Role } from '@/lib/contract/permission'
import type { Database } from '@/lib/database/open-database'
import { mintScope } from '../scope'
import type { Session } from '../session'
import { defaultConnectionId } from '../store/default-connection'
import { sessions, users } from '../store/schema'

/** A session of a role at the one connection, without a store behind it. For tests. */
export function makeSession(role: Role): Session {
  return {
    sessionId: randomUUID(),
    userId: randomUUID(),
    email: `${role}@example.com`,
    role,
    scope: mintScope(defaultConnectionId),
  }
}

/** Puts a session in a store as one that has just begun, for what needs a recent password. */
export async function keepSession(db: Database, { sessionId, userId, email }: Session): Promise<void> {
  await db.insert(users).values({ id: userId, email })
  await db.insert(sessions).values({ id: sessionId, userId })
}
