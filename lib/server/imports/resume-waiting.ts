import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { findProviderTokens } from '../openid/provider-tokens'
import { asOwner } from '../openid/token-owner'
import { mintScope } from '../scope'
import { isRole } from '../session-rows'
import { customerImports } from '../store/import-schema'
import { memberships, users } from '../store/schema'
import { runImport } from './run-import'
import { resumeImport } from './start-import'

/**
 * Lets imports go on that were held because whoever started them had signed out, once they are signed in again: with
 * their own access token, and only while their role still allows it. Throws what the store throws.
 */
export async function resumeWaitingImports(db: Database): Promise<void> {
  const waiting = await db
    .select({
      importId: customerImports.id,
      connectionId: customerImports.connectionId,
      userId: users.id,
      email: users.email,
      role: memberships.role,
    })
    .from(customerImports)
    .innerJoin(users, eq(users.email, customerImports.startedBy))
    .innerJoin(
      memberships,
      and(eq(memberships.userId, users.id), eq(memberships.connectionId, customerImports.connectionId)),
    )
    .where(and(eq(customerImports.state, 'held'), eq(customerImports.problem, 'owner-signed-out')))
  for (const { importId, connectionId, userId, email, role } of waiting) {
    const held = await findProviderTokens(db, { userId }, new Date())
    if (!held || !isRole(role)) continue
    const session = { sessionId: held.sessionId, userId, email, role, scope: mintScope(connectionId) }
    const row = await resumeImport(db, session, importId)
    await asOwner({ userId }, () => runImport(db, session, row))
  }
}
