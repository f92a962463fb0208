import { randomUUID } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import type { Handler, HandlerSettings } from '../handler'
import { Problem } from '../http/problem'
import { webhooks } from '../store/webhook-schema'
import { checkResolution, explainCallback } from './callback-policy'
import { deriveSigningSecret } from './signing-secret'

/** Subscriptions per merchant. */
const quota = 50

function refuse(reason: string): Problem {
  return new Problem('validation', `webhookUrl: ${reason}.`, { errors: { webhookUrl: [reason] } })
}

/** Before the transaction, for it may ask the resolver: refuses addresses that callbacks must not have. Throws Problem `validation`. */
export async function checkCallback({
  body,
  settings,
}: {
  body: { webhookUrl: string }
  settings: HandlerSettings
}): Promise<void> {
  const reason = explainCallback(settings.callbacks, body.webhookUrl)
  if (reason) throw refuse(reason)
  if (!(await checkResolution(settings.callbacks, new URL(body.webhookUrl)))) throw refuse('must be publicly reachable')
}

/**
 * POST /Merchants/webhooks/subscribe: 201 for a new address with, this once, its signing secret; 200 for
 * one that is there. Takes effect at once.
 */
export const subscribeWebhook: Handler<'subscribeWebhook'> = async ({ db, caller, body, now, settings }) => {
  const webhookUrl = new URL(body.webhookUrl).href
  const [added] = await db
    .insert(webhooks)
    .values({ id: randomUUID(), merchantId: caller.merchantId, webhookUrl, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: webhooks.id })
  if (!added) return { status: 200, body: { webhookUrl }, outcome: 'unchanged' }
  const [total] = await db.select({ count: count() }).from(webhooks).where(eq(webhooks.merchantId, caller.merchantId))
  if ((total?.count ?? 0) > quota) throw new Problem('quota', `A merchant may have ${quota} subscriptions.`)
  return {
    status: 201,
    location: '/Merchants/webhooks',
    body: { id: added.id, webhookUrl, createdAt: now },
    once: { secret: deriveSigningSecret(settings.webhookSecret, added.id) },
    outcome: 'created',
  }
}
