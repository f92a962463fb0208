import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import type { Clock } from './clock'
import { payments } from './store/schema'

/** Cancels the payments whose accepted cancellation has become due. Answers how many. */
async function cancelDue(db: Database, now: Date): Promise<number> {
  const cancelled = await db
    .update(payments)
    .set({ status: 'Cancelled', cancelAt: null, nextAt: null, modifiedAt: now })
    .where(and(lte(payments.cancelAt, now), eq(payments.status, 'Pending')))
    .returning({ id: payments.id })
  return cancelled.length
}

/** When the next step is due; null when nothing is. */
async function findNextDue(db: Database): Promise<Date | null> {
  const [next] = await db
    .select({ at: payments.cancelAt })
    .from(payments)
    .where(isNotNull(payments.cancelAt))
    .orderBy(asc(payments.cancelAt))
    .limit(1)
  return next?.at ?? null
}

export type Lifecycle = {
  /** Looks again what is due: to be called when something became due sooner than was known. */
  wake: () => void
  stop: () => Promise<void>
}

/** The longest sleep in milliseconds, in case another process on the same database made something due. */
const longestSleep = 5_000

/**
 * Takes the steps that payments take by themselves, when they are due. What is due stands in the
 * database, so that a restart forgets nothing.
 */
export function startLifecycle(db: Database, clock: Clock): Lifecycle {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  async function work(): Promise<void> {
    await cancelDue(db, clock.now())
    const next = await findNextDue(db)
    const wait = next ? next.getTime() - clock.now().getTime() : longestSleep
    schedule(Math.min(Math.max(wait, 5), longestSleep))
  }

  function schedule(wait: number): void {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(wake, wait)
  }

  function wake(): void {
    if (stopped) return
    if (running) {
      again = true
      return
    }
    running = work()
      .catch((error: unknown) => {
        console.error('service: a step failed and is tried again', error)
        schedule(1_000)
      })
      .finally(() => {
        running = null
        if (!again) return
        again = false
        wake()
      })
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
