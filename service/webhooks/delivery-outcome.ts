import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { deliveries, webhooks } from '../store/webhook-schema'
import type { Attempt } from './send-delivery'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The delays before the second and later attempts (Standard Webhooks, "Deliverability and reliability"). */
const RETRY_DELAYS_MS = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1

/**
 * When to try again after `attempts` failures; null to give up. Up to a tenth is added at random (`chance()`, from 0 to
 * below 1), so that failed deliveries are not repeated in step.
 */
export function nextAttempt(attempts: number, now: Date, chance: () => number = Math.random): Date | null {
  const wait = RETRY_DELAYS_MS[attempts - 1]
  return wait === undefined ? null : new Date(now.getTime() + Math.round(wait * (1 + chance() / 10)))
}

const DAY_MS = 86_400_000

/** A receiver is disabled after failing for this long. */
export const MAX_FAILING_MS = 3 * DAY_MS

/** Statuses by which a receiver may ask for a pause (Standard Webhooks, "Throttling"). */
const throttlingStatuses = new Set([429, 502, 503, 504])
/** The pause after 429 without Retry-After. */
const DEFAULT_PAUSE_MS = 60_000

function parseRetryAfter(text: string, now: Date): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text) * 1_000
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? 0 : moment - now.getTime()
}

/** Until when a receiver asked for a pause, a day at most; null if it did not. */
export function findPauseEnd({ status, retryAfter }: Attempt, now: Date): Date | null {
  if (status === null || !throttlingStatuses.has(status)) return null
  const asked = retryAfter === undefined ? 0 : parseRetryAfter(retryAfter, now)
  const pause = asked > 0 ? Math.min(asked, DAY_MS) : status === 429 ? DEFAULT_PAUSE_MS : 0
  return pause > 0 ? new Date(now.getTime() + pause) : null
}

/** Why a subscription is to be disabled after an attempt: `gone` (410), `failing` (nothing succeeded for days), or null. */
export function findDisableReason(
  { delivered, status }: Attempt,
  failingSince: Date | null,
  now: Date,
): 'gone' | 'failing' | null {
  if (status === 410) return 'gone'
  if (delivered || failingSince === null) return null
  return now.getTime() - failingSince.getTime() >= MAX_FAILING_MS ? 'failing' : null
}

/** A delivery that was attempted; `attempts` includes this attempt. */
export type Attempted = { id: string; webhookId: string; attempts: number }

/** Postpones all pending deliveries to a receiver until `until`. */
async function pause(db: Database, webhookId: string, until: Date): Promise<void> {
  const later = or(isNull(webhooks.pausedUntil), lt(webhooks.pausedUntil, until))
  const paused = await db
    .update(webhooks)
    .set({ pausedUntil: until })
    .where(and(eq(webhooks.id, webhookId), later))
    .returning({ id: webhooks.id })
  if (paused.length === 0) return
  await db
    .update(deliveries)
    .set({ nextAt: until })
    .where(and(eq(deliveries.webhookId, webhookId), eq(deliveries.state, 'pending'), lt(deliveries.nextAt, until)))
}

/** Stops deliveries to a receiver until it is subscribed again. */
async function disable(db: Database, webhookId: string, because: 'gone' | 'failing', now: Date): Promise<void> {
  const disabled = await db
    .update(webhooks)
    .set({ disabledAt: now, disabledBecause: because })
    .where(and(eq(webhooks.id, webhookId), isNull(webhooks.disabledAt)))
    .returning({ id: webhooks.id })
  if (disabled.length === 0) return
  await db
    .update(deliveries)
    .set({ state: 'failed', nextAt: null, lastError: 'disabled', endedAt: now })
    .where(and(eq(deliveries.webhookId, webhookId), eq(deliveries.state, 'pending')))
  console.warn(`service: the subscription ${webhookId} is disabled (${because})`)
}

async function updateReceiver(db: Database, webhookId: string, attempt: Attempt, now: Date): Promise<void> {
  if (attempt.delivered) {
    const failed = and(eq(webhooks.id, webhookId), isNotNull(webhooks.failingSince))
    await db.update(webhooks).set({ failingSince: null }).where(failed)
    return
  }
  const [receiver] = await db
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, ${now.toISOString()}::timestamptz)` })
    .where(eq(webhooks.id, webhookId))
    .returning({ failingSince: webhooks.failingSince })
  if (!receiver) return
  const until = findPauseEnd(attempt, now)
  if (until) await pause(db, webhookId, until)
  const because = findDisableReason(attempt, receiver.failingSince, now)
  if (because) await disable(db, webhookId, because, now)
}

/** Locks a receiver until the transaction ends; returns when it was disabled and until when it asked to be left alone. */
async function lockReceiver(tx: Database, webhookId: string) {
  const { disabledAt, pausedUntil } = webhooks
  const [receiver] = await tx
    .select({ disabledAt, pausedUntil })
    .from(webhooks)
    .where(eq(webhooks.id, webhookId))
    .for('update')
  return receiver
}

const latest = (...moments: (Date | null | undefined)[]) =>
  new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)))

/** Stores the outcome of an attempt for the delivery and for its receiver. */
export async function recordAttempt(
  db: Database,
  { id, webhookId, attempts }: Attempted,
  attempt: Attempt,
  now: Date,
): Promise<void> {
  const { delivered, status, error } = attempt
  const scheduled = delivered ? null : nextAttempt(attempts, now)
  const until = findPauseEnd(attempt, now)
  await db.transaction(async (tx) => {
    // Every transaction locks the receiver before its deliveries, to avoid deadlocks.
    const receiver = delivered ? undefined : await lockReceiver(tx, webhookId)
    // A delivery in flight when its receiver was disabled is not retried, and one when it asked for a pause waits too.
    const nextAt = scheduled && !receiver?.disabledAt ? latest(scheduled, until, receiver?.pausedUntil) : null
    const state = delivered ? 'delivered' : nextAt ? 'pending' : 'failed'
    await tx
      .update(deliveries)
      .set({ state, nextAt, lastStatus: status, lastError: error, endedAt: nextAt ? null : now })
      .where(eq(deliveries.id, id))
    await updateReceiver(tx, webhookId, attempt, now)
  })
}
