import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { deliveries, webhooks } from '../store/webhook-schema'
import { judgeReceiver, readPause } from './judge-receiver'
import { nextAttempt } from './retry-schedule'
import type { Attempt } from './send-delivery'

/** A delivery that was attempted: `attempts` counts this one. */
export type Attempted = { id: string; webhookId: string; attempts: number }

/** Leaves a receiver alone: nothing of what waits for it is sent before `until`. */
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

/** Sends nothing more to a receiver until it is subscribed again; the list of subscriptions says so. */
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

async function noteReceiver(db: Database, webhookId: string, attempt: Attempt, now: Date): Promise<void> {
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
  const until = readPause(attempt, now)
  if (until) await pause(db, webhookId, until)
  const because = judgeReceiver(attempt, receiver.failingSince, now)
  if (because) await disable(db, webhookId, because, now)
}

/** Keeps others from changing a receiver until the transaction ends; answers whether it is disabled. */
async function lockReceiver(tx: Database, webhookId: string): Promise<boolean> {
  const disabledAt = webhooks.disabledAt
  const [receiver] = await tx.select({ disabledAt }).from(webhooks).where(eq(webhooks.id, webhookId)).for('update')
  return receiver !== undefined && receiver.disabledAt !== null
}

/** Writes down how an attempt ended, for the delivery and for its receiver. */
export async function concludeAttempt(
  db: Database,
  { id, webhookId, attempts }: Attempted,
  attempt: Attempt,
  now: Date,
): Promise<void> {
  const { delivered, status, error } = attempt
  const scheduled = delivered ? null : nextAttempt(attempts, now)
  const until = readPause(attempt, now)
  await db.transaction(async (tx) => {
    // The receiver before its deliveries, in every transaction: they would otherwise wait for each other.
    const isDisabled = !delivered && (await lockReceiver(tx, webhookId))
    const wanted = scheduled && until && until > scheduled ? until : scheduled
    // One that was on its way when its receiver was disabled is not tried again either.
    const nextAt = isDisabled ? null : wanted
    const state = delivered ? 'delivered' : nextAt ? 'pending' : 'failed'
    await tx
      .update(deliveries)
      .set({ state, nextAt, lastStatus: status, lastError: error, endedAt: nextAt ? null : now })
      .where(eq(deliveries.id, id))
    await noteReceiver(tx, webhookId, attempt, now)
  })
}
