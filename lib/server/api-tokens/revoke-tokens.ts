import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { apiTokens } from '../store/api-token-schema'

/**
 * Revokes all tokens of an account, or those at one merchant, in the transaction that ends its access: they must not come
 * back when it is given access again.
 */
export async function revokeTokensOf(
  tx: Database,
  { userId, connectionId }: { userId: string; connectionId?: string },
  by: string,
  now: Date,
): Promise<void> {
  await tx
    .update(apiTokens)
    .set({ revokedAt: now, revokedBy: by })
    .where(
      and(
        eq(apiTokens.userId, userId),
        connectionId === undefined ? undefined : eq(apiTokens.connectionId, connectionId),
        isNull(apiTokens.revokedAt),
      ),
    )
}
