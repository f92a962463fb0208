import type { Database } from '@/lib/database/open-database'
import type { Clock } from './clock'
import { sweep } from './life/sweep'
import { takeDueSteps } from './life/take-due-steps'
import { startLifecycle } from './lifecycle'
import type { CallbackPolicy } from './webhooks/callback-policy'
import { makeDeliverer } from './webhooks/deliver-events'

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
  const delivery = startLifecycle(async () => wait(await deliverer.work()))
  const life = startLifecycle(async () => {
    const next = await takeDueSteps(db, clock.now())
    delivery.wake()
    return wait(next)
  })
  const wake = () => {
    life.wake()
    delivery.wake()
  }
  clock.onMove(wake)
  const forgetting = startLifecycle(async () => {
    await sweep(db, clock.now())
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
