import { and, eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { Failure } from '../failure'
import type { Scope } from '../scope'
import { getSettings } from '../settings'
import { bulks } from '../store/bulk-schema'
import * as refusals from '@/lib/words/refusals'

/** One bulk as the store keeps it. */
export type BulkRow = typeof bulks.$inferSelect

/** Finds a bulk of the merchant. Throws Failure 'not-found'. */
export async function findBulk(db: Database, scope: Pick<Scope, 'connectionId'>, bulkId: string): Promise<BulkRow> {
  const [row] = await db
    .select()
    .from(bulks)
    .where(and(eq(bulks.connectionId, scope.connectionId), eq(bulks.id, bulkId)))
  if (!row) throw new Failure('not-found', { detail: refusals.thereIsNoSuchBulkCancellation(getSettings().KEEP_BULKS) })
  return row
}
