import { and, asc, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import type { Clock } from '../clock'
import { deliveries, events, webhooks } from '../store/webhook-schema'
import { type CallbackPolicy, explainCallback, isAllowedByName } from './callback-policy'
import { openAgents } from './connect-checked'
import { nextAttempt } from './retry-schedule'
import { type Attempt, sendDelivery } from './send-delivery'
import { deriveSigningSecret } from './signing-secret'

/** A claimed delivery belongs to its worker for this long; then, had the worker died, it is tried again. */
const lease = 60_000
const mostInFlight = 50
/** So that one slow receiver cannot hold up the others. */
const mostPerReceiver = 5

type Claimed = { id: string; eventId: string; webhookId: string; attempts: number }
type Message = { url: string; body: string }

/** Claims deliveries that are due: their moment moves past the lease, their count goes up. */
async function claim(db: Database, now: Date, room: number, busy: string[]): Promise<Claimed[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.state, 'pending'),
          lte(deliveries.nextAt, now),
          busy.length > 0 ? notInArray(deliveries.webhookId, busy) : undefined,
        ),
      )
      .orderBy(asc(deliveries.nextAt))
      .limit(room)
      .for('update', { skipLocked: true })
    if (due.length === 0) return []
    return tx
      .update(deliveries)
      .set({ nextAt: new Date(now.getTime() + lease), attempts: sql`${deliveries.attempts} + 1` })
      .where(
        inArray(
          deliveries.id,
          due.map(({ id }) => id),
        ),
      )
      .returning({
        id: deliveries.id,
        eventId: deliveries.eventId,
        webhookId: deliveries.webhookId,
        attempts: deliveries.attempts,
      })
  })
}

/** The address and the exact text to send; null when the subscription has ended meanwhile. */
async function readMessage(db: Database, { id }: Claimed): Promise<Message | null> {
  const [row] = await db
    .select({
      url: webhooks.webhookUrl,
      objectType: events.objectType,
      eventType: events.eventType,
      at: events.at,
      data: events.data,
    })
    .from(deliveries)
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(eq(deliveries.id, id))
  if (!row) return null
  const { url, objectType, eventType, at, data } = row
  return { url, body: JSON.stringify({ objectType, eventType, timeStamp: at, data }) }
}

async function conclude(
  db: Database,
  { id, attempts }: Claimed,
  { delivered, status, error }: Attempt,
  now: Date,
): Promise<void> {
  const nextAt = delivered ? null : nextAttempt(attempts, now)
  const state = delivered ? 'delivered' : nextAt ? 'pending' : 'failed'
  await db
    .update(deliveries)
    .set({ state, nextAt, lastStatus: status, lastError: error, endedAt: nextAt ? null : now })
    .where(eq(deliveries.id, id))
}

/** When the earliest undelivered event is due; null when there is none. */
async function findNext(db: Database, busy: string[]): Promise<Date | null> {
  const [next] = await db
    .select({ at: deliveries.nextAt })
    .from(deliveries)
    .where(and(eq(deliveries.state, 'pending'), busy.length > 0 ? notInArray(deliveries.webhookId, busy) : undefined))
    .orderBy(asc(deliveries.nextAt))
    .limit(1)
  return next?.at ?? null
}

/**
 * Sends what the outbox holds, at least once each, never in a promised order. `work` starts what is due
 * and answers when to look again; `done` is called whenever an attempt has ended.
 */
export function makeDeliverer(options: {
  db: Database
  clock: Clock
  policy: CallbackPolicy
  secret: string
  done: () => void
}) {
  const { db, clock, policy, secret, done } = options
  const agents = openAgents(policy)
  const inFlight = new Map<string, { webhookId: string; ended: Promise<void> }>()

  async function attempt(claimed: Claimed): Promise<void> {
    const message = await readMessage(db, claimed)
    if (!message) return
    const refused = explainCallback(policy, message.url) !== null
    const agent = isAllowedByName(policy, new URL(message.url)) ? agents.trusted : agents.checked
    const outgoing = {
      id: claimed.eventId,
      secret: deriveSigningSecret(secret, claimed.webhookId),
      at: clock.now(),
      ...message,
    }
    const ended: Attempt = refused
      ? { delivered: false, status: null, error: 'hidden-address' }
      : await sendDelivery(agent, outgoing)
    await conclude(db, claimed, ended, clock.now())
  }

  function start(claimed: Claimed): void {
    const ended = attempt(claimed)
      .catch((error: unknown) => console.error('service: a delivery could not be recorded', error))
      .finally(() => {
        inFlight.delete(claimed.id)
        done()
      })
    inFlight.set(claimed.id, { webhookId: claimed.webhookId, ended })
  }

  function findBusy(): string[] {
    const counts = new Map<string, number>()
    for (const { webhookId } of inFlight.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
    return [...counts].flatMap(([id, count]) => (count >= mostPerReceiver ? [id] : []))
  }

  return {
    work: async (): Promise<Date | null> => {
      const room = Math.min(mostPerReceiver, mostInFlight - inFlight.size)
      if (room > 0) for (const claimed of await claim(db, clock.now(), room, findBusy())) start(claimed)
      return inFlight.size >= mostInFlight ? null : findNext(db, findBusy())
    },
    close: async () => {
      await agents.close()
      await Promise.all([...inFlight.values()].map(({ ended }) => ended))
    },
  }
}
