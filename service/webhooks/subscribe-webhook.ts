import { randomUUID } from 'node:crypto'
import { and, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { Answer, Handler, HandlerSettings } from '../handler'
import { Problem } from '../http/problem'
import { merchants } from '../store/schema'
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

type Subscription = Parameters<Handler<'subscribeWebhook'>>[0]

/** An address that is there: enabled again if it was disabled; with `Prefer: new-secret` it gets another secret. */
async function renew({ db, caller, now, preferences, settings }: Subscription, webhookUrl: string): Promise<Answer> {
  const mine = and(eq(webhooks.merchantId, caller.merchantId), eq(webhooks.webhookUrl, webhookUrl))
  const again = { disabledAt: null, disabledBecause: null, failingSince: null, pausedUntil: null }
  const wanted = preferences.has('new-secret')
  const renewal = wanted ? { secretTurn: sql`${webhooks.secretTurn} + 1`, secretAt: now } : {}
  const stopped = wanted ? mine : and(mine, isNotNull(webhooks.disabledAt))
  const [changed] = await db
    .update(webhooks)
    .set({ ...again, ...renewal })
    .where(stopped)
    .returning({ id: webhooks.id, turn: webhooks.secretTurn })
  if (!changed || !wanted) return { status: 200, body: { webhookUrl }, outcome: changed ? 'enabled' : 'unchanged' }
  const secret = deriveSigningSecret(settings.webhookSecret, changed.id, changed.turn)
  return { status: 200, body: { webhookUrl }, once: { secret }, outcome: 'renewed' }
}

/**
 * POST /Merchants/webhooks/subscribe: 201 for a new address with, this once, its signing secret; 200 for
 * one that is there. Takes effect at once.
 */
export const subscribeWebhook: Handler<'subscribeWebhook'> = async (call) => {
  const { db, caller, body, now, settings } = call
  const webhookUrl = new URL(body.webhookUrl).href
  // One after the other, for what another is about to add is not counted below.
  await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, caller.merchantId)).for('no key update')
  const [added] = await db
    .insert(webhooks)
    .values({ id: randomUUID(), merchantId: caller.merchantId, webhookUrl, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: webhooks.id })
  if (!added) return renew(call, webhookUrl)
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
