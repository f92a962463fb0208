import { eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { agreements, type merchants } from '../store/schema'

/** The merchant record (the interface does not show one): the input's fields and the merchant's agreements. */
export async function viewMerchant(db: Database, row: typeof merchants.$inferSelect) {
  const own = await db
    .select({
      id: agreements.id,
      handle: agreements.handle,
      scheme: agreements.scheme,
      status: agreements.status,
      test: agreements.test,
    })
    .from(agreements)
    .where(eq(agreements.merchantId, row.id))
    .orderBy(agreements.createdAt, agreements.id)
    .limit(100)
  const { id, handle, name, isvHandle, metaData, createdAt, modifiedAt } = row
  return { id, handle, name, isvHandle, metaData, createdAt, modifiedAt, agreements: own }
}
