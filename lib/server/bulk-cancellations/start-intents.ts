import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { BulkConfirmation } from '@/lib/domain/cancellations/bulk-cancellation'
import * as fields from '@/lib/words/fields'
import type { Database } from '@/lib/database/database'
import type { Ledger } from '../cancellations/ledger'
import { type WrittenIntents, writeIntents } from '../cancellations/intents'
import { idKey } from '@/lib/domain/ids'
import { AppError } from '../runtime/app-error'
import { bulkRows, bulks } from '../store/bulk-schema'
import { type BulkRow, findBulk } from './queries'

/** Rows that one transaction writes: on PGlite, which has one connection, every other request waits for it. */
const rowsAtOnce = 200

type ListedRow = typeof bulkRows.$inferSelect

/** The reason of one row, from what was confirmed and what came with the list. Throws AppError 'bad-request' where there is none. */
export function chooseReason(
  { position, reason }: Pick<ListedRow, 'position' | 'reason'>,
  confirmed: Pick<BulkConfirmation, 'reason' | 'reasons'>,
): string {
  const chosen = confirmed.reasons?.[String(position)] ?? confirmed.reason ?? reason
  if (chosen === null || chosen === undefined)
    throw new AppError('bad-request', { errors: { reason: [fields.isMissingForRow(position + 1)] } })
  return chosen
}

/** Notes in each row which cancellation is its own, or to whom it was left. */
async function linkRows(
  tx: Database,
  rows: readonly ListedRow[],
  { bulkId, written, left }: WrittenIntents & { bulkId: string },
): Promise<void> {
  const links = rows.map(({ position, paymentId }) => {
    const key = idKey(paymentId ?? '')
    return { position, id: written.get(key) ?? null, who: left.get(key) ?? null }
  })
  await tx.execute(sql`
    update ${bulkRows} as listed set cancellation_id = link.id, left_to = link.who
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as link(position int, id uuid, who text)
    where listed.bulk_id = ${bulkId} and listed.position = link.position`)
}

/** Takes the bulk for one transaction, so that two desks write one part after the other. False when it is not being started any more. */
async function lockStarting(tx: Database, bulkId: string): Promise<boolean> {
  const locked = await tx
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(eq(bulks.id, bulkId), eq(bulks.state, 'starting')))
    .for('update')
  return locked.length > 0
}

/** Writes the next rows after a position; with none left, the bulk runs. Answers the last position that it wrote, null at the end. */
async function writePart(ledger: Ledger, bulk: BulkRow, after: number): Promise<number | null> {
  const { id: bulkId, userId, userEmail: email, confirmed } = bulk
  return ledger.db.transaction(async (tx) => {
    if (!confirmed || !(await lockStarting(tx, bulkId))) return null
    const rows = await tx
      .select()
      .from(bulkRows)
      .where(
        and(
          eq(bulkRows.bulkId, bulkId),
          eq(bulkRows.verdict, 'cancellable'),
          isNull(bulkRows.cancellationId),
          isNull(bulkRows.leftTo),
          gt(bulkRows.position, after),
        ),
      )
      .orderBy(asc(bulkRows.position))
      .limit(rowsAtOnce)
    const last = rows.at(-1)
    if (!last) {
      await tx
        .update(bulks)
        .set({ state: 'running', confirmed: null, changedAt: ledger.clock.wall() })
        .where(eq(bulks.id, bulkId))
      return null
    }
    const actor = { userId, email, sessionId: confirmed.sessionId }
    const intents = rows.flatMap(({ paymentId, seen, ...row }) =>
      paymentId === null || seen === null ? [] : [{ paymentId, seen, reason: chooseReason(row, confirmed) }],
    )
    await linkRows(tx, rows, { bulkId, ...(await writeIntents(tx, ledger, { actor, bulkId, rows: intents })) })
    return last.position
  })
}

async function writeParts(ledger: Ledger, bulkId: string): Promise<BulkRow> {
  const bulk = await findBulk(ledger.db, ledger, bulkId)
  for (let after: number | null = -1; after !== null; after = await writePart(ledger, bulk, after)) {
    await ledger.step('before-part-of-start')
    // PGlite's promises alone never let the event loop turn.
    await letOthersIn()
  }
  return findBulk(ledger.db, ledger, bulkId)
}

/**
 * Writes the intents of a bulk that was confirmed, some in each transaction, and then lets it run: nothing of it is
 * sent before all of them are written. May be done by several desks, and again after any interruption: each part is
 * written once. Answers the bulk as it then is, stopped where somebody stopped it. Throws what the store throws; what
 * is not written is taken up by `resumeStarts`.
 */
export function writeStart(ledger: Ledger, bulkId: string): Promise<BulkRow> {
  return ledger.memory.submit(bulkId, () => writeParts(ledger, bulkId))
}

/**
 * Writes what an earlier start left unwritten: its desk ended, or its store was away. One that cannot be written keeps no
 * other. Throws what the store throws at the look.
 */
export async function resumeStarts(ledger: Ledger): Promise<void> {
  const { db, connectionId } = ledger
  const starting = await db
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(eq(bulks.connectionId, connectionId), eq(bulks.state, 'starting')))
    .orderBy(asc(bulks.startedAt))
  for (const { id } of starting)
    await writeStart(ledger, id).catch((error: unknown) => ledger.report('bulk-not-started', { bulkId: id, error }))
}
