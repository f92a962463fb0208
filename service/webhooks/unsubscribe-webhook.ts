import { and, eq } from 'drizzle-orm'
import type { Handler } from '../handler'
import { webhooks } from '../store/webhook-schema'

/**
 * POST /Merchants/webhooks/unsubscribe: 204, also for an address that was not there; takes effect at once:
 * what is on its way is broken off before the answer.
 */
export const unsubscribeWebhook: Handler<'unsubscribeWebhook'> = async ({ db, caller, body }) => {
  const canonical = URL.canParse(body.webhookUrl) ? new URL(body.webhookUrl).href : body.webhookUrl
  const removed = await db
    .delete(webhooks)
    .where(and(eq(webhooks.merchantId, caller.merchantId), eq(webhooks.webhookUrl, canonical)))
    .returning({ id: webhooks.id })
  const ended = removed.map(({ id }) => id)
  return { status: 204, outcome: ended.length > 0 ? 'deleted' : 'unchanged', ended }
}
