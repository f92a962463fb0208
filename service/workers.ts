import { and, isNotNull, lt, ne, notExists, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { logFailure } from './logging'
import type { Clock } from './simulation/clock'
import { takeDueSteps } from './simulation/due-steps'
import { keepReading } from './store/clock-reading'
import { storedAnswers } from './store/schema'
import { deliveries, events } from './store/webhook-schema'
import type { CallbackPolicy } from './webhooks/callback-policy'
import { makeDeliverer } from './webhooks/deliver-events'

const DAY_MS = 86_400_000

/** How long an Idempotency-Key is remembered, and an ended delivery and its event are stored. */
export const ANSWER_RETENTION_MS = 7 * DAY_MS
export const DELIVERY_RETENTION_MS = 30 * DAY_MS

/** Deletes expired stored replies, deliveries and events. */
export async function deleteExpired(db: Database, now: Date): Promise<void> {
  await db.delete(storedAnswers).where(lt(storedAnswers.at, new Date(now.getTime() - ANSWER_RETENTION_MS)))
  const old = new Date(now.getTime() - DELIVERY_RETENTION_MS)
  await db
    .delete(deliveries)
    .where(and(ne(deliveries.state, 'pending'), isNotNull(deliveries.endedAt), lt(deliveries.endedAt, old)))
  const inUse = db.select({ one: sql`1` }).from(deliveries).where(sql`${deliveries.eventId} = ${events.id}`)
  await db.delete(events).where(and(lt(events.at, old), notExists(inUse)))
}

/** A loop that does the work that is due and sleeps until more is. */
export type WorkLoop = {
  /** Checks again: to be called when something may be due earlier than known. */
  wake: () => void
  stop: () => Promise<void>
}

/**
 * Runs `work` when woken and after the real milliseconds that it returned. Due work is in the database, so a restart
 * loses nothing. A failure is retried after a second. Never sleeps longer than `maxSleepMs`, in case another process on
 * the same database made something due.
 */
export function startWorkLoop(work: () => Promise<number>, maxSleepMs = 5_000): WorkLoop {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  function sleep(wait: number): void {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(wake, Math.min(Math.max(wait, 2), maxSleepMs))
  }

  async function run(): Promise<void> {
    try {
      sleep(await work())
    } catch (error) {
      logFailure('a step failed and is tried again', error)
      sleep(1_000)
    }
    running = null
    if (!again) return
    again = false
    wake()
  }

  function wake(): void {
    if (stopped) return
    if (running) again = true
    else running = run()
  }

  wake()
  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

export type Workers = {
  wake: () => void
  endDeliveries: (webhookIds: readonly string[]) => void
  stop: () => Promise<void>
}

/** Starts the background work: simulated steps, delivery of events, and cleanup. It keeps the clock's reading. */
export function startWorkers(
  db: Database,
  clock: Clock,
  webhooks: { policy: CallbackPolicy; secret: string },
): Workers {
  const wait = (next: Date | null) => (next ? clock.realTimeUntil(next) : Number.POSITIVE_INFINITY)
  const deliverer = makeDeliverer({ db, clock, ...webhooks, onAttemptEnded: () => delivery.wake() })
  const delivery = startWorkLoop(async () => wait(await deliverer.work()))
  const simulation = startWorkLoop(async () => {
    const now = clock.now()
    await keepReading(db, now)
    const next = await takeDueSteps(db, now)
    delivery.wake()
    return wait(next)
  })
  const wake = () => {
    simulation.wake()
    delivery.wake()
  }
  clock.onMove(wake)
  const cleanup = startWorkLoop(async () => {
    await deleteExpired(db, clock.now())
    return Number.POSITIVE_INFINITY
  }, 3_600_000)
  clock.onMove(cleanup.wake)
  return {
    wake,
    endDeliveries: deliverer.end,
    stop: async () => {
      await cleanup.stop()
      await simulation.stop()
      await delivery.stop()
      await deliverer.close()
      await keepReading(db, clock.now()).catch((error: unknown) => logFailure('the clock was not kept', error))
    },
  }
}
