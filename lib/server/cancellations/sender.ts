import { and, eq, gt, isNull } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import { findMemberSession } from '../auth/member-session'
import { apiTokens } from '../store/api-token-schema'
import type { CancellationRow } from './ledger'

/** Whether whoever asked for a cancellation, and the API token they used, may still ask for one. Throws what the store throws. */
export async function maySenderCancel(
  { db, clock }: Pick<OpenDatabase, 'db' | 'clock'>,
  { connectionId, userId, evidence }: CancellationRow,
): Promise<boolean> {
  const member = await findMemberSession(db, { connectionId, userId })
  if (!member || !hasPermission(member.role, 'cancel')) return false
  if (evidence.apiToken === undefined) return true
  const isValid = and(
    eq(apiTokens.id, evidence.apiToken),
    isNull(apiTokens.revokedAt),
    gt(apiTokens.expiresAt, clock.sql()),
  )
  return (await db.$count(apiTokens, isValid)) > 0
}
