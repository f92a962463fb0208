import { and, eq, gt, isNull } from 'drizzle-orm'
import { hasPermission } from '@/lib/api-contract/permission'
import type { OpenDatabase } from '@/lib/database/database'
import { findMemberSession } from '../auth/member-session'
import { apiTokens } from '../store/api-token-schema'
import { bulks } from '../store/bulk-schema'
import type { CancellationRow } from './ledger'

/** Whether whoever asked for a cancellation, and the API token they used, may still ask for one. Throws what the store throws. */
export async function maySenderCancel(
  { db, clock }: Pick<OpenDatabase, 'db' | 'clock'>,
  { connectionId, userId, bulkId, evidence }: CancellationRow,
): Promise<boolean> {
  const member = await findMemberSession(db, { connectionId, userId })
  if (!member || !hasPermission(member.role, 'cancel')) return false
  const [bulk] =
    bulkId === null ? [] : await db.select({ confirmed: bulks.confirmed }).from(bulks).where(eq(bulks.id, bulkId))
  const token = bulk?.confirmed?.apiToken?.id ?? evidence.apiToken
  if (token === undefined) return true
  // A bulk goes on after its token has expired, unless it is revoked.
  const isInTime = bulk ? undefined : gt(apiTokens.expiresAt, clock.sql())
  return (await db.$count(apiTokens, and(eq(apiTokens.id, token), isNull(apiTokens.revokedAt), isInTime))) > 0
}
