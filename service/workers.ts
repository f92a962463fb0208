import { and, isNotNull, lt, ne, notExists, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { logFailure } from './logging'
import type { Clock } from './simulation/clock'
import { takeDueSteps } from './simulation/due-steps'
import { storedAnswers } from './store/schema'
import { deliveries, events } from './store/webhook-schema'
import type { CallbackPolicy } from './webhooks/callback-policy'
import { makeDeliverer } from './webhooks/deliver-events'

const day = 86_400_000

/** How long an Idempotency-Key is remembered, and how long an ended delivery and its event are kept, in milliseconds. */
export const ANSWER_RETENTION_MS = 7 * day
export const DELIVERY_RETENTION_MS = 30 * day

/** Forgets answers and deliveries that are old. */
export async function deleteExpired(db: Database, now: Date): Promise<void> {
  await db.delete(storedAnswers).where(lt(storedAnswers.at, new Date(now.getTime() - ANSWER_RETENTION_MS)))
  const old = new Date(now.getTime() - DELIVERY_RETENTION_MS)
  await db
    .delete(deliveries)
    .where(and(ne(deliveries.state, 'pending'), isNotNull(deliveries.endedAt), lt(deliveries.endedAt, old)))
  const inUse = db.select({ one: sql`1` }).from(deliveries).where(sql`${deliveries.eventId} = ${events.id}`)
  await db.delete(events).where(and(lt(events.at, old), notExists(inUse)))
}

/** A loop that does what is due and sleeps until more is. */
export type WorkLoop = {
  /** Looks again what is due: to be called when something became due sooner than was known. */
  wake: () => void
  stop: () => Promise<void>
}

/**
 * Runs `work` whenever it is woken and when the time that it answered has come (real milliseconds until
 * more is due). What is due stands in the database, so that a restart forgets nothing; a failure is tried
 * again after a second. It never sleeps longer than `longestSleep` milliseconds, in case another process on
 * the same database made something due.
 */
export function startWorkLoop(work: () => Promise<number>, longestSleep = 5_000): WorkLoop {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  function sleep(wait: number): void {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(wake, Math.min(Math.max(wait, 2), longestSleep))
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

/** Starts what the service does by itself: the steps of its resources, and the delivery of their events. */
export function startWorkers(
  db: Database,
  clock: Clock,
  webhooks: { policy: CallbackPolicy; secret: string },
): Workers {
  const wait = (next: Date | null) => (next ? clock.realTimeUntil(next) : Number.POSITIVE_INFINITY)
  const deliverer = makeDeliverer({ db, clock, ...webhooks, done: () => delivery.wake() })
  const delivery = startWorkLoop(async () => wait(await deliverer.work()))
  const life = startWorkLoop(async () => {
    const next = await takeDueSteps(db, clock.now())
    delivery.wake()
    return wait(next)
  })
  const wake = () => {
    life.wake()
    delivery.wake()
  }
  clock.onMove(wake)
  const forgetting = startWorkLoop(async () => {
    await deleteExpired(db, clock.now())
    return Number.POSITIVE_INFINITY
  }, 3_600_000)
  clock.onMove(forgetting.wake)
  return {
    wake,
    endDeliveries: deliverer.end,
    stop: async () => {
      await forgetting.stop()
      await life.stop()
      await delivery.stop()
      await deliverer.close()
    },
  }
}
