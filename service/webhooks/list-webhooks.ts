import { eq } from 'drizzle-orm'
import type { Handler } from '../handler'
import { webhooks } from '../store/webhook-schema'

/**
 * GET /Merchants/webhooks: an array (the interface does not show this reply), oldest first;
 * one that takes nothing says since when, and one that is disabled why.
 */
export const listWebhooks: Handler<'listWebhooks'> = async ({ db, caller }) => {
  const rows = await db
    .select({
      id: webhooks.id,
      webhookUrl: webhooks.webhookUrl,
      createdAt: webhooks.createdAt,
      disabledAt: webhooks.disabledAt,
      disabledBecause: webhooks.disabledBecause,
      failingSince: webhooks.failingSince,
    })
    .from(webhooks)
    .where(eq(webhooks.merchantId, caller.merchantId))
    .orderBy(webhooks.createdAt, webhooks.id)
  const body = rows.map(({ disabledAt, disabledBecause, failingSince, ...row }) => ({
    ...row,
    ...(failingSince ? { failingSince } : {}),
    ...(disabledAt ? { disabledAt, disabledBecause } : {}),
  }))
  return { status: 200, body }
}
