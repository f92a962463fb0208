import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { insertRows } from '../store/insert-rows'
import { deliveries, events, webhooks } from '../store/webhook-schema'

export type ResourceEvent = {
  merchantId: string
  objectType: 'payment' | 'mandate' | 'agreement'
  /** `created`, or the transition in lower case: `settled`, `rejected`, `cancelled`, `registration` … */
  eventType: string
  at: Date
  data: unknown
}

/**
 * Writes events and a delivery of each to every current subscription of their merchants. `db` is the transaction of the
 * changes, so that neither exists without the other. Waits for a subscription that is just being ended, which then gets
 * nothing.
 */
export async function recordEvents(db: Database, happened: readonly ResourceEvent[]): Promise<void> {
  if (happened.length === 0) return
  const rows = happened.map((event) => ({ id: randomUUID(), ...event }))
  await insertRows(db, events, rows)
  await db.execute(sql`
    insert into ${deliveries} (id, merchant_id, event_id, webhook_id, next_at)
    select gen_random_uuid(), ${events.merchantId}, ${events.id}, ${webhooks.id}, greatest(${events.at}, ${webhooks.pausedUntil})
    from ${events} join ${webhooks} on ${webhooks.merchantId} = ${events.merchantId} and ${webhooks.disabledAt} is null
    where ${events.id} in (${sql.join(
      rows.map(({ id }) => sql`${id}::uuid`),
      sql`, `,
    )})
    for key share of ${webhooks}`)
}
