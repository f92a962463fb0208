import { eq } from 'drizzle-orm'
import type { Handler } from '../handler'
import { webhooks } from '../store/webhook-schema'

/** GET /Merchants/webhooks: an array (the interface does not show this reply), oldest first. */
export const listWebhooks: Handler<'listWebhooks'> = async ({ db, caller }) => {
  const body = await db
    .select({ id: webhooks.id, webhookUrl: webhooks.webhookUrl, createdAt: webhooks.createdAt })
    .from(webhooks)
    .where(eq(webhooks.merchantId, caller.merchantId))
    .orderBy(webhooks.createdAt, webhooks.id)
  return { status: 200, body }
}
