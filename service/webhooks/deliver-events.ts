import { and, asc, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { Clock } from '../simulation/clock'
import { deliveries, events, webhooks } from '../store/webhook-schema'
import { type CallbackPolicy, explainCallback, isAllowedByName } from './callback-policy'
import { recordAttempt } from './delivery-outcome'
import { type Attempt, openAgents, sendDelivery } from './send-delivery'
import { signingSecrets } from './subscriptions'
import { logFailure } from '../logging'

/** A worker's claim on a delivery lasts this long; if the worker has died, it is tried again then. */
const LEASE_MS = 60_000
const MAX_IN_FLIGHT = 50
/** Keeps one slow receiver from holding up the others. */
const MAX_PER_RECEIVER = 5

type Claimed = { id: string; eventId: string; webhookId: string; attempts: number }
type Message = { url: string; body: string; turn: number; renewedAt: Date | null }

/** Receivers at their limit of concurrent deliveries, and this worker's deliveries in flight. */
type Busy = { webhookIds: string[]; deliveryIds: string[] }

/** Deliveries in flight are excluded explicitly: a fast clock passes their lease before a reply can arrive. */
function notBusy({ webhookIds, deliveryIds }: Busy) {
  return and(
    webhookIds.length > 0 ? notInArray(deliveries.webhookId, webhookIds) : undefined,
    deliveryIds.length > 0 ? notInArray(deliveries.id, deliveryIds) : undefined,
  )
}

/** Claims due deliveries: moves their due time past the lease and counts the attempt. */
async function claim(db: Database, now: Date, room: number, busy: Busy): Promise<Claimed[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(eq(deliveries.state, 'pending'), lte(deliveries.nextAt, now), notBusy(busy)))
      .orderBy(asc(deliveries.nextAt))
      .limit(room)
      .for('update', { skipLocked: true })
    if (due.length === 0) return []
    return tx
      .update(deliveries)
      .set({ nextAt: new Date(now.getTime() + LEASE_MS), attempts: sql`${deliveries.attempts} + 1` })
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

/** The URL and exact body to send; null when the subscription was ended or disabled meanwhile. */
async function readMessage(db: Database, { id }: Claimed): Promise<Message | null> {
  const [row] = await db
    .select({
      url: webhooks.webhookUrl,
      turn: webhooks.secretTurn,
      renewedAt: webhooks.secretAt,
      objectType: events.objectType,
      eventType: events.eventType,
      at: events.at,
      data: events.data,
    })
    .from(deliveries)
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.id, id), eq(deliveries.state, 'pending')))
  if (!row) return null
  const { url, turn, renewedAt, objectType, eventType, at, data } = row
  return { url, turn, renewedAt, body: JSON.stringify({ objectType, eventType, timeStamp: at, data }) }
}

/** When the next pending delivery is due; null if there is none. */
async function findNext(db: Database, busy: Busy): Promise<Date | null> {
  const [next] = await db
    .select({ at: deliveries.nextAt })
    .from(deliveries)
    .where(and(eq(deliveries.state, 'pending'), notBusy(busy)))
    .orderBy(asc(deliveries.nextAt))
    .limit(1)
  return next?.at ?? null
}

/**
 * Sends pending deliveries at least once each, in no guaranteed order. `work` starts the due ones and returns when to
 * call again; `onAttemptEnded` is called after each attempt.
 */
export function makeDeliverer(options: {
  db: Database
  clock: Clock
  policy: CallbackPolicy
  secret: string
  onAttemptEnded: () => void
}) {
  const { db, clock, policy, secret, onAttemptEnded } = options
  const agents = openAgents(policy)
  const inFlight = new Map<string, { webhookId: string; ended: Promise<void>; controller: AbortController }>()

  async function attempt(claimed: Claimed, signal: AbortSignal): Promise<void> {
    const message = await readMessage(db, claimed)
    if (!message) return
    const refused = explainCallback(policy, message.url) !== null
    const agent = isAllowedByName(policy, new URL(message.url)) ? agents.trusted : agents.checked
    const secrets = signingSecrets(secret, { webhookId: claimed.webhookId, ...message }, clock.now())
    const outgoing = { id: claimed.eventId, url: message.url, body: message.body, secrets, signal }
    const ended: Attempt = refused
      ? { delivered: false, status: null, error: 'hidden-address' }
      : await sendDelivery(agent, outgoing)
    if (!signal.aborted) await recordAttempt(db, claimed, ended, clock.now())
  }

  function start(claimed: Claimed): void {
    const controller = new AbortController()
    const ended = attempt(claimed, controller.signal)
      .catch((error: unknown) => logFailure('a delivery could not be recorded', error))
      .finally(() => {
        inFlight.delete(claimed.id)
        onAttemptEnded()
      })
    inFlight.set(claimed.id, { webhookId: claimed.webhookId, ended, controller })
  }

  function findBusy(): Busy {
    const counts = new Map<string, number>()
    for (const { webhookId } of inFlight.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
    const webhookIds = [...counts].flatMap(([id, count]) => (count >= MAX_PER_RECEIVER ? [id] : []))
    return { webhookIds, deliveryIds: [...inFlight.keys()] }
  }

  return {
    work: async (): Promise<Date | null> => {
      const room = Math.min(MAX_PER_RECEIVER, MAX_IN_FLIGHT - inFlight.size)
      if (room > 0) for (const claimed of await claim(db, clock.now(), room, findBusy())) start(claimed)
      return inFlight.size >= MAX_IN_FLIGHT ? null : findNext(db, findBusy())
    },
    /** Aborts deliveries in flight to ended subscriptions. To be called before the unsubscription is answered. */
    end: (ended: readonly string[]): void => {
      for (const { webhookId, controller } of inFlight.values()) if (ended.includes(webhookId)) controller.abort()
    },
    close: async () => {
      await agents.close()
      await Promise.all([...inFlight.values()].map(({ ended }) => ended))
    },
  }
}
