import { randomUUID } from 'node:crypto'
import type { Role } from '@/lib/contract/permission'
import { mintScope } from '../scope'
import type { Session } from '../session'
import { defaultConnectionId } from '../store/default-connection'

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
