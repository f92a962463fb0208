import { createHmac, randomUUID } from 'node:crypto'
import { and, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { Answer, Handler, HandlerSettings } from '../http/handler'
import { Problem } from '../http/problem'
import { merchants } from '../store/schema'
import { webhooks } from '../store/webhook-schema'
import { checkResolution, explainCallback } from './callback-policy'

/** How long the secret before signs along after a renewal, in milliseconds. */
export const secretOverlap = 24 * 3_600_000

/**
 * The signing secret of one subscription after `turn` renewals, as Standard Webhooks writes it (`whsec_` and
 * 32 bytes in base64). It is derived from the service's own secret and the subscription's id, so that none is stored.
 */
export function deriveSigningSecret(master: string, webhookId: string, turn = 0): string {
  const name = turn === 0 ? `webhook ${webhookId}` : `webhook ${webhookId} ${turn}`
  return `whsec_${createHmac('sha256', master).update(name).digest('base64')}`
}

/** The secrets that sign at `now`: the latest first and, for a while after a renewal, the one before. */
export function signingSecrets(
  master: string,
  { webhookId, turn, renewedAt }: { webhookId: string; turn: number; renewedAt: Date | null },
  now: Date,
): string[] {
  const overlapping = turn > 0 && renewedAt !== null && now.getTime() < renewedAt.getTime() + secretOverlap
  return (overlapping ? [turn, turn - 1] : [turn]).map((one) => deriveSigningSecret(master, webhookId, one))
}

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

/** Subscriptions per merchant. */
const MAX_SUBSCRIPTIONS = 50

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
  if ((total?.count ?? 0) > MAX_SUBSCRIPTIONS)
    throw new Problem('quota', `A merchant may have ${MAX_SUBSCRIPTIONS} subscriptions.`)
  return {
    status: 201,
    location: '/Merchants/webhooks',
    body: { id: added.id, webhookUrl, createdAt: now },
    once: { secret: deriveSigningSecret(settings.webhookSecret, added.id) },
    outcome: 'created',
  }
}

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
