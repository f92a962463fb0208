import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Database, OpenDatabase } from '@/lib/database/database'
import { sumPayments } from '@/lib/domain/cancellations/bulk-list'
import * as m from '@/lib/messages/m'
import { announceBulk } from '../changes/announce-changes'
import { AppError } from '../runtime/app-error'
import { bulkRows, bulks } from '../store/bulk-schema'
import { hashList, nameByPayments } from './list-rows'
import { type BulkRow, findBulk } from './queries'

type Draft = { connectionId: string; userId: string; bulkId: string }

/** Locks a draft of this user in one of the states. Throws AppError 'not-found', 'forbidden' or 'conflict'. */
async function lockDraft(tx: Database, draft: Draft, states: readonly BulkRow['state'][]): Promise<BulkRow> {
  const bulk = await findBulk(tx, draft, draft.bulkId)
  if (bulk.userId !== draft.userId) throw new AppError('forbidden', { detail: m.refusals_thisDraftIsSomebodyElses() })
  const [locked] = await tx
    .select()
    .from(bulks)
    .where(and(eq(bulks.id, bulk.id), isNull(bulks.startedAt), inArray(bulks.state, [...states])))
    .for('update')
  if (!locked) throw new AppError('conflict', { detail: m.refusals_thisDraftCanNoLongerChange() })
  return locked
}

/** Deletes a list that was never started, by the person who made it. Throws AppError as `lockDraft`. */
export async function discardDraft(db: Database, draft: Draft): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await lockDraft(tx, draft, ['ready', 'failed'])
    await tx.delete(bulkRows).where(eq(bulkRows.bulkId, id))
    await tx.delete(bulks).where(eq(bulks.id, id))
    await announceBulk(tx, { ...draft, id })
  })
}

function listRows(tx: Database, bulkId: string) {
  const { paymentId, given, verdict, seen, facts, position } = bulkRows
  return tx
    .select({ paymentId, given, verdict, seen, facts })
    .from(bulkRows)
    .where(eq(bulkRows.bulkId, bulkId))
    .orderBy(position)
}

type RowChange = Draft & { position: number; isLeftOut: boolean }

/**
 * Takes a row out of a list before it is started, or back in, and freezes the list anew: its count, sums, hash,
 * and its name where that is made of its payments.
 * The age of the list stays. Throws AppError as `lockDraft`, and 'conflict' for a row that can't be cancelled anyway.
 */
export async function changeDraftRow(
  { db, clock }: Pick<OpenDatabase, 'db' | 'clock'>,
  { position, isLeftOut, ...draft }: RowChange,
): Promise<BulkRow> {
  const [from, to] = isLeftOut ? (['cancellable', 'left-out'] as const) : (['left-out', 'cancellable'] as const)
  return db.transaction(async (tx) => {
    const { id, source } = await lockDraft(tx, draft, ['ready'])
    const isRow = and(eq(bulkRows.bulkId, id), eq(bulkRows.position, position))
    const [row] = await tx.select({ verdict: bulkRows.verdict }).from(bulkRows).where(isRow)
    if (row?.verdict !== from && row?.verdict !== to)
      throw new AppError('conflict', { detail: m.refusals_thisDraftCanNoLongerChange() })
    await tx.update(bulkRows).set({ verdict: to, changedAt: clock.sql() }).where(isRow)
    const rows = await listRows(tx, id)
    const sendable = rows.filter(({ verdict }) => verdict === 'cancellable')
    const [bulk] = await tx
      .update(bulks)
      .set({
        ...('payments' in source && { source: { ...source, payments: nameByPayments(rows) } }),
        count: sendable.length,
        sums: sumPayments(
          sendable.flatMap(({ seen, facts }) => (seen ? [{ ...seen, test: facts?.test ?? null }] : [])),
        ),
        digest: hashList(sendable.flatMap(({ paymentId }) => paymentId ?? [])),
      })
      .where(eq(bulks.id, id))
      .returning()
    if (!bulk) throw new AppError('not-found')
    await announceBulk(tx, bulk)
    return bulk
  })
}
