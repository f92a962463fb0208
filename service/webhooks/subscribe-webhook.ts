import { randomUUID } from 'node:crypto'
import type { Handler } from '../handler'
import { webhooks } from '../store/webhook-schema'
import { parseCallback } from './parse-callback'

/** POST /Merchants/webhooks/subscribe: 201 for a new address, 200 for one that is there; takes effect at once. */
export const subscribeWebhook: Handler<'subscribeWebhook'> = async ({ db, caller, body, now }) => {
  const webhookUrl = parseCallback(body.webhookUrl)
  const added = await db
    .insert(webhooks)
    .values({ id: randomUUID(), merchantId: caller.merchantId, webhookUrl, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: webhooks.id })
  const [first] = added
  if (!first) return { status: 200, body: { webhookUrl }, outcome: 'unchanged' }
  return {
    status: 201,
    location: '/Merchants/webhooks',
    body: { id: first.id, webhookUrl, createdAt: now },
    outcome: 'created',
  }
}
