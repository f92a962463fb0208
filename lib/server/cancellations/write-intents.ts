import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { SeenPayment } from '@/lib/contract/cancellation'
import { idKey } from '@/lib/contract/ids'
import type { Database } from '@/lib/database/open-database'
import { appendActivities } from '../activity/append-activity'
import { idKeyOf } from '../store/id-key'
import { cancellations } from '../store/schema'
import { seePayment } from './guard'
import type { Actor, Ledger } from './ledger'

/** One payment of a bulk; `seen` is what the list showed when it was confirmed. */
export type IntentOfBulk = { paymentId: string; reason: string; seen: SeenPayment }

/** Both by `idKey` of the payment: the cancellation of its own, or who had asked for the one that is open. */
export type WrittenIntents = { written: Map<string, string>; left: Map<string, string> }

const insertedRows = z.object({ rows: z.array(z.object({ id: z.string() })) })

async function findWhoAsked(tx: Database, connectionId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ paymentId: cancellations.paymentId, userEmail: cancellations.userEmail })
    .from(cancellations)
    .where(
      and(
        eq(cancellations.connectionId, connectionId),
        isNull(cancellations.closedAt),
        inArray(idKeyOf(cancellations.paymentId), [...ids]),
      ),
    )
  const asked = new Map(rows.map(({ paymentId, userEmail }) => [idKey(paymentId), userEmail]))
  return new Map(ids.map((id) => [id, asked.get(id) ?? '']))
}

/**
 * Writes intents of a bulk, each with its row of the activity log, within a transaction: all of them or none. A payment
 * with an open cancellation gets no second one. At most some hundreds at once: on PGlite nobody else is served
 * meanwhile. Throws what the store throws.
 */
export async function writeIntents(
  tx: Database,
  { connectionId, clock }: Pick<Ledger, 'connectionId' | 'clock'>,
  { actor, bulkId, rows }: { actor: Actor; bulkId: string; rows: readonly IntentOfBulk[] },
): Promise<WrittenIntents> {
  // In one order for all: two bulks that overlap must not wait for each other in a circle.
  const intents = rows
    .map((row) => ({ ...row, id: randomUUID(), key: randomUUID(), seen: seePayment(row.seen) }))
    .toSorted((one, other) => (idKey(one.paymentId) < idKey(other.paymentId) ? -1 : 1))
  // One document in place of a dozen parameters for each row, which took several times as long.
  const answer = await tx.execute(sql`
    insert into ${cancellations}
      (id, connection_id, payment_id, client_key, bulk_id, user_id, user_email, reason, seen, state, state_since, created_at)
    select id, ${connectionId}, "paymentId", key, ${bulkId}, ${actor.userId}, ${actor.email}, reason, seen, 'intended',
      ${clock.store.sql()}, ${clock.store.stamp()}
    from jsonb_to_recordset(${JSON.stringify(intents)}::jsonb)
      as intent(id uuid, key uuid, "paymentId" text, reason text, seen jsonb)
    on conflict do nothing
    returning id`)
  const inserted = new Set(insertedRows.parse(answer).rows.map(({ id }) => id))
  const written = intents.filter(({ id }) => inserted.has(id))
  const others = intents.filter(({ id }) => !inserted.has(id)).map(({ paymentId }) => idKey(paymentId))
  const left = await findWhoAsked(tx, connectionId, others)
  const at = clock.wall()
  const { userId, email, sessionId } = actor
  await appendActivities(
    tx,
    written.map(({ id, paymentId, reason, seen }) => ({
      connectionId,
      at,
      actor: email,
      action: 'cancellation.intended',
      objectKind: 'payment',
      objectId: paymentId,
      details: { cancellationId: id, bulkId, userId, sessionId, text: reason, seen },
    })),
  )
  return { written: new Map(written.map(({ id, paymentId }) => [idKey(paymentId), id])), left }
}
