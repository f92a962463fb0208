import { and, asc, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import type { Clock } from '../simulation/clock'
import { deliveries, events, webhooks } from '../store/webhook-schema'
import { type CallbackPolicy, explainCallback, isAllowedByName } from './callback-policy'
import { recordAttempt } from './delivery-outcome'
import { type Attempt, openAgents, sendDelivery } from './send-delivery'
import { signingSecrets } from './subscriptions'
import { logFailure } from '../logging'

/** A claimed delivery belongs to its worker for this long; then, had the worker died, it is tried again. */
const LEASE_MS = 60_000
const MAX_IN_FLIGHT = 50
/** So that one slow receiver cannot hold up the others. */
const MAX_PER_RECEIVER = 5

type Claimed = { id: string; eventId: string; webhookId: string; attempts: number }
type Message = { url: string; body: string; turn: number; renewedAt: Date | null }

/** What this worker has its hands full with: receivers that take no more at once, and deliveries on their way. */
type Taken = { busy: string[]; mine: string[] }

/** A clock that runs fast is past the lease of what is on its way before an answer can have come. */
function notTaken({ busy, mine }: Taken) {
  return and(
    busy.length > 0 ? notInArray(deliveries.webhookId, busy) : undefined,
    mine.length > 0 ? notInArray(deliveries.id, mine) : undefined,
  )
}

/** Claims deliveries that are due: their moment moves past the lease, their count goes up. */
async function claim(db: Database, now: Date, room: number, taken: Taken): Promise<Claimed[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(eq(deliveries.state, 'pending'), lte(deliveries.nextAt, now), notTaken(taken)))
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

/** The address and the exact text to send; null when the subscription has ended or was disabled meanwhile. */
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

/** When the earliest undelivered event is due; null when there is none. */
async function findNext(db: Database, taken: Taken): Promise<Date | null> {
  const [next] = await db
    .select({ at: deliveries.nextAt })
    .from(deliveries)
    .where(and(eq(deliveries.state, 'pending'), notTaken(taken)))
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
  const inFlight = new Map<string, { webhookId: string; ended: Promise<void>; breaker: AbortController }>()

  async function attempt(claimed: Claimed, signal: AbortSignal): Promise<void> {
    const message = await readMessage(db, claimed)
    if (!message) return
    const refused = explainCallback(policy, message.url) !== null
    const agent = isAllowedByName(policy, new URL(message.url)) ? agents.trusted : agents.checked
    const at = clock.now()
    const secrets = signingSecrets(secret, { webhookId: claimed.webhookId, ...message }, at)
    const outgoing = { id: claimed.eventId, url: message.url, body: message.body, secrets, at, signal }
    const ended: Attempt = refused
      ? { delivered: false, status: null, error: 'hidden-address' }
      : await sendDelivery(agent, outgoing)
    if (!signal.aborted) await recordAttempt(db, claimed, ended, clock.now())
  }

  function start(claimed: Claimed): void {
    const breaker = new AbortController()
    const ended = attempt(claimed, breaker.signal)
      .catch((error: unknown) => logFailure('a delivery could not be recorded', error))
      .finally(() => {
        inFlight.delete(claimed.id)
        done()
      })
    inFlight.set(claimed.id, { webhookId: claimed.webhookId, ended, breaker })
  }

  function findTaken(): Taken {
    const counts = new Map<string, number>()
    for (const { webhookId } of inFlight.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1)
    const busy = [...counts].flatMap(([id, count]) => (count >= MAX_PER_RECEIVER ? [id] : []))
    return { busy, mine: [...inFlight.keys()] }
  }

  return {
    work: async (): Promise<Date | null> => {
      const room = Math.min(MAX_PER_RECEIVER, MAX_IN_FLIGHT - inFlight.size)
      if (room > 0) for (const claimed of await claim(db, clock.now(), room, findTaken())) start(claimed)
      return inFlight.size >= MAX_IN_FLIGHT ? null : findNext(db, findTaken())
    },
    /** Breaks off what is on its way to subscriptions that have ended: to be called before that is answered. */
    end: (ended: readonly string[]): void => {
      for (const { webhookId, breaker } of inFlight.values()) if (ended.includes(webhookId)) breaker.abort()
    },
    close: async () => {
      await agents.close()
      await Promise.all([...inFlight.values()].map(({ ended }) => ended))
    },
  }
}
