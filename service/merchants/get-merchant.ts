import { eq } from 'drizzle-orm'
import type { Handler } from '../handler'
import { Problem } from '../http/problem'
import { merchants } from '../store/schema'
import { viewMerchant } from './merchant-view'

/** GET /Merchants: the caller's own record. */
export const getMerchant: Handler<'getMerchant'> = async ({ db, caller }) => {
  const [row] = await db.select().from(merchants).where(eq(merchants.id, caller.merchantId)).limit(1)
  if (!row) throw new Problem('not-found', 'There is no such merchant.')
  return { status: 200, body: await viewMerchant(db, row) }
}
