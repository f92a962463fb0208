import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { SeenPayment } from '@/lib/contract/cancellation'
import { idKey } from '@/lib/contract/ids'
import type { Database } from '@/lib/database/open-database'
import { appendActivities } from '../activity/append-activity'
import { idKeyOf } from '../store/id-key'
import { cancellations } from '../store/schema'
import { seePayment } from './guard'
import { holdConnection } from './hold-connection'
import type { Actor, CancellationRow, Ledger } from './ledger'

/** One payment of a bulk; `seen` is what the list showed when it was confirmed. */
export type IntentOfBulk = { paymentId: string; reason: string; seen: SeenPayment }

/** `left`: payments whose open cancellation is somebody else's, by `idKey`, with who asked. */
export type WrittenIntents = { written: CancellationRow[]; left: Map<string, string> }

/** Rows per statement. PGlite runs each in this thread, and nobody else is served meanwhile. */
const batch = 100

async function findWhoAsked(tx: Database, connectionId: string, ids: readonly string[]): Promise<Map<string, string>> {
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
  return new Map(rows.map(({ paymentId, userEmail }) => [idKey(paymentId), userEmail]))
}

/**
 * Writes the intents of a bulk, each with its row of the activity log, within the transaction that starts the
 * bulk: all of them or none. A payment with an open cancellation gets no second one. Throws
 * Failure 'not-found' (the merchant was removed) and what the store throws.
 */
export async function writeIntents(
  tx: Database,
  ledger: Pick<Ledger, 'connectionId' | 'clock'>,
  { actor, bulkId, rows }: { actor: Actor; bulkId: string; rows: readonly IntentOfBulk[] },
): Promise<WrittenIntents> {
  const { connectionId, clock } = ledger
  await holdConnection(tx, connectionId)
  const wall = clock.wall()
  const written: CancellationRow[] = []
  const left = new Map<string, string>()
  // In one order for all: two bulks that overlap must not wait for each other in a circle.
  const sorted = rows.toSorted((one, other) => (idKey(one.paymentId) < idKey(other.paymentId) ? -1 : 1))
  for (let at = 0; at < sorted.length; at += batch) {
    // PGlite's promises alone never let the event loop turn.
    await nextTurn()
    const part = sorted.slice(at, at + batch)
    const inserted = await tx
      .insert(cancellations)
      .values(
        part.map(({ paymentId, reason, seen }) => ({
          id: randomUUID(),
          connectionId,
          paymentId,
          clientKey: randomUUID(),
          bulkId,
          userId: actor.userId,
          userEmail: actor.email,
          reason,
          seen: seePayment(seen),
          state: 'intended' as const,
          stateSince: clock.store.sql(),
          createdAt: clock.store.stamp(),
        })),
      )
      .onConflictDoNothing()
      .returning()
    written.push(...inserted)
    const done = new Set(inserted.map(({ paymentId }) => idKey(paymentId)))
    const missing = part.map(({ paymentId }) => idKey(paymentId)).filter((id) => !done.has(id))
    if (missing.length === 0) continue
    const who = await findWhoAsked(tx, connectionId, missing)
    for (const id of missing) left.set(id, who.get(id) ?? '')
  }
  await appendActivities(
    tx,
    written.map(({ id, paymentId, reason, seen }) => ({
      connectionId,
      at: wall,
      actor: actor.email,
      action: 'cancellation.intended',
      objectKind: 'payment',
      objectId: paymentId,
      details: { cancellationId: id, bulkId, userId: actor.userId, sessionId: actor.sessionId, text: reason, seen },
    })),
  )
  return { written, left }
}
