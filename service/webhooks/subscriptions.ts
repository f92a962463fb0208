import { createHmac, randomUUID } from 'node:crypto'
import { and, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { HandlerReply, Handler, HandlerSettings } from '../http/handler'
import { Problem } from '../http/problem'
import { merchants } from '../store/schema'
import { webhooks } from '../store/webhook-schema'
import { checkResolution, explainCallback } from './callback-policy'

/** How long the previous secret signs too after a renewal. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000

/**
 * The signing secret of a subscription after `turn` renewals in the format of Standard Webhooks (`whsec_` and 32 bytes in
 * base64). Derived from the service's own secret and the subscription's id, so that none is stored.
 */
export function deriveSigningSecret(master: string, webhookId: string, turn = 0): string {
  const name = turn === 0 ? `webhook ${webhookId}` : `webhook ${webhookId} ${turn}`
  return `whsec_${createHmac('sha256', master).update(name).digest('base64')}`
}

/** The secrets that sign at `now`: the current one and, for a while after a renewal, the previous one. */
export function signingSecrets(
  master: string,
  { webhookId, turn, renewedAt }: { webhookId: string; turn: number; renewedAt: Date | null },
  now: Date,
): string[] {
  const overlapping = turn > 0 && renewedAt !== null && now.getTime() < renewedAt.getTime() + SECRET_OVERLAP_MS
  return (overlapping ? [turn, turn - 1] : [turn]).map((one) => deriveSigningSecret(master, webhookId, one))
}

/**
 * GET /Merchants/webhooks: an array, oldest first (the interface does not show this reply). A failing subscription says
 * since when, a disabled one why.
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

/** Per merchant. */
const MAX_SUBSCRIPTIONS = 50

function invalidUrl(reason: string): Problem {
  return new Problem('validation', `webhookUrl: ${reason}.`, { errors: { webhookUrl: [reason] } })
}

const MAX_URL_LENGTH = 2_048

/** Checks a callback address before the transaction, because it may resolve a name. Throws Problem `validation`. */
export async function checkCallback({
  body,
  settings,
}: {
  body: { webhookUrl: string }
  settings: HandlerSettings
}): Promise<void> {
  const reason = explainCallback(settings.callbacks, body.webhookUrl)
  if (reason) throw invalidUrl(reason)
  // As it is kept: percent-encoded, which is up to nine times as long as it was typed.
  if (new URL(body.webhookUrl).href.length > MAX_URL_LENGTH)
    throw invalidUrl(`must be at most ${MAX_URL_LENGTH} characters when percent-encoded`)
  if (!(await checkResolution(settings.callbacks, new URL(body.webhookUrl))))
    throw invalidUrl('must be publicly reachable')
}

type Subscription = Parameters<Handler<'subscribeWebhook'>>[0]

/** Subscribes an existing address again: enables it if it was disabled; `Prefer: new-secret` renews its secret. */
async function renew(
  { db, caller, now, preferences, settings }: Subscription,
  webhookUrl: string,
): Promise<HandlerReply> {
  const mine = and(eq(webhooks.merchantId, caller.merchantId), eq(webhooks.webhookUrl, webhookUrl))
  const enabled = { disabledAt: null, disabledBecause: null, failingSince: null, pausedUntil: null }
  const wantsSecret = preferences.has('new-secret')
  const renewal = wantsSecret ? { secretTurn: sql`${webhooks.secretTurn} + 1`, secretAt: now } : {}
  const affected = wantsSecret ? mine : and(mine, isNotNull(webhooks.disabledAt))
  const [changed] = await db
    .update(webhooks)
    .set({ ...enabled, ...renewal })
    .where(affected)
    .returning({ id: webhooks.id, turn: webhooks.secretTurn })
  if (!changed || !wantsSecret) return { status: 200, body: { webhookUrl }, outcome: changed ? 'enabled' : 'unchanged' }
  const secret = deriveSigningSecret(settings.webhookSecret, changed.id, changed.turn)
  return { status: 200, body: { webhookUrl }, once: { secret }, outcome: 'renewed' }
}

/**
 * POST /Merchants/webhooks/subscribe: 201 for a new address with, only this once, its signing secret; 200 for an existing
 * one. Takes effect at once.
 */
export const subscribeWebhook: Handler<'subscribeWebhook'> = async (call) => {
  const { db, caller, body, now, settings } = call
  const webhookUrl = new URL(body.webhookUrl).href
  // Serializes subscriptions of a merchant, because the count below does not see uncommitted ones.
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
 * POST /Merchants/webhooks/unsubscribe: 204, also for an unknown address. Takes effect at once: deliveries in flight are
 * aborted before the reply.
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
