import { and, isNotNull, lt, ne, notExists, sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { storedAnswers } from '../store/schema'
import { deliveries, events } from '../store/webhook-schema'

const day = 86_400_000

/** How long an Idempotency-Key is remembered, and how long an ended delivery and its event are kept, in milliseconds. */
export const answersKept = 7 * day
export const deliveriesKept = 30 * day

/** Forgets answers and deliveries that are old. */
export async function sweep(db: Database, now: Date): Promise<void> {
  await db.delete(storedAnswers).where(lt(storedAnswers.at, new Date(now.getTime() - answersKept)))
  const old = new Date(now.getTime() - deliveriesKept)
  await db
    .delete(deliveries)
    .where(and(ne(deliveries.state, 'pending'), isNotNull(deliveries.endedAt), lt(deliveries.endedAt, old)))
  const inUse = db.select({ one: sql`1` }).from(deliveries).where(sql`${deliveries.eventId} = ${events.id}`)
  await db.delete(events).where(and(lt(events.at, old), notExists(inUse)))
}
