import { and, count, eq, inArray, isNotNull, isNull, notExists } from 'drizzle-orm'
import { appendActivity } from '../activity/append-activity'
import { isBulkTurn } from '../cancellations/bulk-turn'
import type { Ledger } from '../cancellations/ledger'
import { states } from '../cancellations/states'
import { bulkRows, bulks } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { closeUnsentRows } from './change-bulk'

/**
 * Closes what a stopped bulk has left unsent: the process that stopped it died before it could, or the service asked
 * to slow down after the stop. Nobody else takes such rows up, and open they would keep their payments from everybody.
 */
async function closeLeftOver(ledger: Ledger): Promise<void> {
  const { db, connectionId } = ledger
  const unsent = db
    .select({ bulkId: cancellations.bulkId })
    .from(cancellations)
    .where(and(eq(cancellations.connectionId, connectionId), isNull(cancellations.closedAt), isBulkTurn))
  const stopped = await db
    .select()
    .from(bulks)
    .where(and(eq(bulks.connectionId, connectionId), eq(bulks.state, 'stopped'), inArray(bulks.id, unsent)))
  for (const bulk of stopped) await closeUnsentRows(ledger, bulk)
}

/**
 * Ends the running bulks of which every row has ended, with a row of the activity log each, and what stopped ones
 * have left over. Throws what the store throws.
 */
export async function finishBulks(ledger: Ledger): Promise<void> {
  const { db, connectionId, clock } = ledger
  await closeLeftOver(ledger)
  const open = db
    .select({ id: cancellations.id })
    .from(cancellations)
    .where(and(eq(cancellations.bulkId, bulks.id), isNull(cancellations.closedAt)))
  const isDone = and(eq(bulks.connectionId, connectionId), eq(bulks.state, 'running'), notExists(open))
  const done = await db.select({ id: bulks.id }).from(bulks).where(isDone)
  for (const { id } of done) {
    await db.transaction(async (tx) => {
      const [bulk] = await tx
        .update(bulks)
        .set({ state: 'finished', problem: null, changedAt: clock.wall(), endedAt: clock.wall() })
        .where(and(eq(bulks.id, id), eq(bulks.state, 'running')))
        .returning()
      if (!bulk) return
      const counted = await tx
        .select({ state: cancellations.state, total: count() })
        .from(cancellations)
        .where(eq(cancellations.bulkId, id))
        .groupBy(cancellations.state)
      await appendActivity(tx, {
        connectionId,
        at: clock.wall(),
        actor: 'desk',
        action: 'bulk.finished',
        objectKind: 'bulk',
        objectId: id,
        details: {
          count: bulk.count,
          left: await tx.$count(bulkRows, and(eq(bulkRows.bulkId, id), isNotNull(bulkRows.leftTo))),
          ...Object.fromEntries(counted.map(({ state, total }) => [states[state].told, total])),
        },
      })
    })
  }
}
