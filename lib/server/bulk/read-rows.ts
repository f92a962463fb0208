import { and, asc, eq, gt, gte } from 'drizzle-orm'
import type { BulkResultRow, BulkRows } from '@/lib/contract/bulk'
import type { Database, OpenDatabase } from '@/lib/database/open-database'
import { bulkRows } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import type { BulkRow } from './bulk-row'
import { tellOutcome } from './view-bulk'

const pageLength = 2_000
/** What a transaction that is not yet done has written a little earlier. */
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

type Part = { from: number; since: Date | null }

async function readPart(db: Database, bulk: BulkRow, { from, since }: Part): Promise<Omit<BulkRows, 'asOf'>> {
  const rows = await select(db, bulk.id, { from, most: pageLength, ...(since && { since }) })
  const last = rows.at(-1)
  return { rows: rows.map(tell), next: last && rows.length === pageLength ? last.position + 1 : null }
}

/** Rows of a bulk from a position on, at most 2,000; with `since`, those alone that changed after that moment. */
export async function readBulkRows(
  { db, clock }: Pick<OpenDatabase, 'db' | 'clock'>,
  bulk: BulkRow,
  part: Part,
): Promise<BulkRows> {
  const asOf = clock.now().toISOString()
  return { ...(await readPart(db, bulk, part)), asOf }
}

/** All rows of a bulk, page by page, for a file. */
export async function* walkBulkRows(db: Database, bulk: BulkRow): AsyncGenerator<BulkResultRow[], void, void> {
  for (let from: number | null = 0; from !== null; ) {
    const part: Omit<BulkRows, 'asOf'> = await readPart(db, bulk, { from, since: null })
    yield part.rows
    from = part.next
  }
}
