import { setImmediate as letOthersIn } from 'node:timers/promises'
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { BulkConfirmation } from '@/lib/domain/cancellations/bulk-cancellation'
import type { Database } from '@/lib/database/database'
import type { Ledger } from '../cancellations/ledger'
import { type WrittenIntents, writeIntents } from '../cancellations/intents'
import { idKey } from '@/lib/domain/ids'
import { announceBulk } from '../changes/announce-changes'
import { AppError } from '../runtime/app-error'
import { bulkRows, bulks } from '../store/bulk-schema'
import { type BulkRow, findBulk } from './queries'
import * as m from '@/lib/messages/m'

/** Rows per transaction: PGlite has one connection, and every other request waits for it. */
const ROWS_PER_TRANSACTION = 200

type ListedRow = typeof bulkRows.$inferSelect

type Confirmed = Pick<BulkConfirmation, 'reason' | 'reasons'>

/** A row's reason, from the confirmation or the list; null if it has none. */
export function findReason(
  { position, reason }: Pick<ListedRow, 'position' | 'reason'>,
  confirmed: Confirmed | null,
): string | null {
  return confirmed?.reasons?.[String(position)] ?? confirmed?.reason ?? reason
}

/** As `findReason`. Throws AppError 'bad-request' if there is none. */
export function chooseReason(row: Pick<ListedRow, 'position' | 'reason'>, confirmed: Confirmed): string {
  const chosen = findReason(row, confirmed)
  if (chosen === null)
    throw new AppError('bad-request', { errors: { reason: [m.fields_isMissingForRow({ row: row.position + 1 })] } })
  return chosen
}

/** Stores each row's cancellation, or who requested the one it was left to. */
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

/** Locks the bulk, so that desks write one part after the other. False if it is no longer starting. */
async function lockStarting(tx: Database, bulkId: string): Promise<boolean> {
  const locked = await tx
    .select({ id: bulks.id })
    .from(bulks)
    .where(and(eq(bulks.id, bulkId), eq(bulks.state, 'starting')))
    .for('update')
  return locked.length > 0
}

/** Writes the next rows and returns the last position; with none left, sets the bulk running and returns null. */
async function writeBatch(ledger: Ledger, bulk: BulkRow, after: number): Promise<number | null> {
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
      .limit(ROWS_PER_TRANSACTION)
    const last = rows.at(-1)
    if (!last) {
      // The token is kept: once it is revoked, the bulk stops.
      const kept = confirmed.apiToken ? { ...confirmed, reason: null, reasons: undefined } : null
      await tx
        .update(bulks)
        .set({ state: 'running', confirmed: kept, changedAt: ledger.clock.wall() })
        .where(eq(bulks.id, bulkId))
      await announceBulk(tx, bulk)
      return null
    }
    const actor = { userId, email, sessionId: confirmed.sessionId, apiToken: confirmed.apiToken }
    const intents = rows.flatMap(({ paymentId, seen, ...row }) =>
      paymentId === null || seen === null ? [] : [{ paymentId, seen, reason: chooseReason(row, confirmed) }],
    )
    await linkRows(tx, rows, { bulkId, ...(await writeIntents(tx, ledger, { actor, bulkId, rows: intents })) })
    return last.position
  })
}

async function writeBatches(ledger: Ledger, bulkId: string): Promise<BulkRow> {
  const bulk = await findBulk(ledger.db, ledger, bulkId)
  for (let after: number | null = -1; after !== null; after = await writeBatch(ledger, bulk, after)) {
    await ledger.step('before-part-of-start')
    // PGlite's promises alone never let the event loop turn.
    await letOthersIn()
  }
  return findBulk(ledger.db, ledger, bulkId)
}

/**
 * Writes the intents of a confirmed bulk in several transactions, then lets it run: nothing is sent before all are
 * written. Safe to run on several desks and after interruptions: each part is written once. Returns the bulk, which may
 * have been stopped meanwhile. On failure `resumeStarts` continues.
 */
export function writeStart(ledger: Ledger, bulkId: string): Promise<BulkRow> {
  return ledger.memory.submit(bulkId, () => writeBatches(ledger, bulkId))
}

/** Continues starts that were interrupted by a crash or a store failure. One failure does not block the others. */
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
