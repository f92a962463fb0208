import { and, asc, eq, gt, gte } from 'drizzle-orm'
import type { BulkResultRow, BulkRows } from '@/lib/contract/bulk'
import type { Database } from '@/lib/database/open-database'
import { ledgerClock } from '../cancellations/ledger-clock'
import { bulkRows } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import type { BulkRow } from './bulk-row'
import { tellOutcome } from './view-bulk'

const pageLength = 2_000
/** What another process, by its own clock, or a transaction that is not yet done writes a little earlier. */
const overlap = 5_000

const fields = {
  position: bulkRows.position,
  given: bulkRows.given,
  paymentId: bulkRows.paymentId,
  verdict: bulkRows.verdict,
  seen: bulkRows.seen,
  facts: bulkRows.facts,
  listReason: bulkRows.reason,
  leftTo: bulkRows.leftTo,
  cancellationId: bulkRows.cancellationId,
  state: cancellations.state,
  why: cancellations.outcomeReason,
  detail: cancellations.detail,
  text: cancellations.reason,
  closedAt: cancellations.closedAt,
}

type Joined = Awaited<ReturnType<typeof select>>[number]

function select(db: Database, bulkId: string, { from, most, since }: { from: number; most: number; since?: Date }) {
  return db
    .select(fields)
    .from(bulkRows)
    .leftJoin(cancellations, eq(cancellations.id, bulkRows.cancellationId))
    .where(
      and(
        eq(bulkRows.bulkId, bulkId),
        gte(bulkRows.position, from),
        since && gt(cancellations.stateSince, new Date(since.getTime() - overlap)),
      ),
    )
    .orderBy(asc(bulkRows.position))
    .limit(most)
}

function tell({ state, text, listReason, closedAt, ...row }: Joined): BulkResultRow {
  return {
    ...row,
    reason: text ?? listReason,
    outcome: state === null ? (row.leftTo === null ? 'unsent' : 'left') : tellOutcome(state),
    closed: closedAt !== null,
  }
}

/** Rows of a bulk from a position on, at most 2,000; with `since`, those alone that changed after that moment. */
export async function readBulkRows(
  db: Database,
  bulk: BulkRow,
  { from, since }: { from: number; since: Date | null },
): Promise<BulkRows> {
  const asOf = ledgerClock.now().toISOString()
  const rows = await select(db, bulk.id, { from, most: pageLength, ...(since && { since }) })
  const last = rows.at(-1)
  return { rows: rows.map(tell), next: last && rows.length === pageLength ? last.position + 1 : null, asOf }
}

/** All rows of a bulk, page by page, for a file. */
export async function* walkBulkRows(db: Database, bulk: BulkRow): AsyncGenerator<BulkResultRow[], void, void> {
  let from: number | null = 0
  while (from !== null) {
    const page: BulkRows = await readBulkRows(db, bulk, { from, since: null })
    yield page.rows
    from = page.next
  }
}
