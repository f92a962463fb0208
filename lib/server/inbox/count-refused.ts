import { eq, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { describeError } from '../describe-error'
import { log } from '../log'
import { inBackground } from '../request-facts'
import { inboxes } from '../store/inbox-schema'

/** In milliseconds. However many are refused, the store is written to once in so long. */
const writeEvery = 5_000

declare global {
  /** What was refused since the last write, by connection; one per process. */
  var debitdeskRefusedDeliveries: Map<string, number> | undefined
}

/** A count that began more than a week ago begins anew: what is shown is of these days. */
async function add(db: Database, connectionId: string, count: number): Promise<void> {
  const isOld = sql`coalesce(${inboxes.refusedSince} < now() - interval '7 days', true)`
  await db
    .update(inboxes)
    .set({
      refused: sql`case when ${isOld} then 0 else ${inboxes.refused} end + ${count}::int`,
      refusedSince: sql`case when ${isOld} then now() else ${inboxes.refusedSince} end`,
      refusedLast: sql`now()`,
    })
    .where(eq(inboxes.connectionId, connectionId))
}

/**
 * Counts a delivery that was refused for its signature. The first is written down at once, those that follow within
 * five seconds together; a desk that is killed meanwhile loses these.
 */
export async function countRefused(db: Database, connectionId: string): Promise<void> {
  const waiting = (globalThis.debitdeskRefusedDeliveries ??= new Map<string, number>())
  const known = waiting.get(connectionId)
  if (known !== undefined) {
    waiting.set(connectionId, known + 1)
    return
  }
  waiting.set(connectionId, 0)
  setTimeout(() => void inBackground(() => writeWaiting(db, connectionId)), writeEvery).unref()
  await add(db, connectionId, 1)
}

async function writeWaiting(db: Database, connectionId: string): Promise<void> {
  const count = globalThis.debitdeskRefusedDeliveries?.get(connectionId) ?? 0
  globalThis.debitdeskRefusedDeliveries?.delete(connectionId)
  if (count === 0) return
  try {
    await add(db, connectionId, count)
  } catch (error) {
    log.warn({ event: 'refused-deliveries-not-counted', count, error: describeError(error) })
  }
}
