import { and, asc, eq, gt, gte } from 'drizzle-orm'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { BulkResultRow, BulkRows } from '@/lib/domain/cancellations/bulk-cancellation'
import { bulkOutcomeLabels, verdictLabels } from '@/lib/domain/cancellations/bulk-messages'
import { describeOutcome } from '@/lib/domain/cancellations/cancellation-outcome'
import { type CsvCell, writeCsv } from '@/lib/domain/csv'
import { formatExactAmount } from '@/lib/domain/exact-amounts'
import type { AmountUnit } from '@/lib/domain/money'
import { bulkRows } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { type BulkRow, toBulkOutcome } from './queries'

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
    outcome: state === null ? (row.leftTo === null ? 'unsent' : 'left') : toBulkOutcome(state),
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

const head = [
  'Row',
  'Given',
  'Payment id',
  'Reference',
  'Payer',
  'Mode',
  'Currency',
  'Minor units',
  'Exponent',
  'Decimal',
  'Amount as sent',
  'Part of the bulk',
  'Outcome',
  'Why',
  'Reason given',
  'Cancellation id',
]

function tellMode(test: boolean | null | undefined): string {
  if (test === null || test === undefined) return ''
  return test ? 'test' : 'live'
}

function describe({ outcome, why, detail, leftTo, verdict, cancellationId }: BulkResultRow): string {
  if (leftTo !== null) return `Left to the cancellation that ${leftTo} asked for`
  if (cancellationId === null || outcome === 'unsent' || outcome === 'left')
    return verdict === 'cancellable' ? '' : verdictLabels[verdict]
  return describeOutcome({ outcome, reason: why, detail }) ?? ''
}

function writeNumber(digits: string): CsvCell {
  return digits === '' ? '' : { number: digits }
}

function writeRow(row: BulkResultRow, unit: AmountUnit): CsvCell[] {
  const { seen, facts, cancellationId, outcome, leftTo } = row
  const sent = seen?.amount ?? null
  const amount = formatExactAmount(sent, seen?.currency ?? null, unit)
  return [
    row.position + 1,
    row.given,
    row.paymentId ?? '',
    facts?.reference ?? '',
    facts?.payer ?? '',
    tellMode(facts?.test),
    seen?.currency ?? '',
    writeNumber(amount.minor),
    amount.exponent,
    writeNumber(amount.decimal),
    typeof sent === 'number' ? { number: String(sent) } : (sent ?? ''),
    cancellationId ? 'yes' : 'no',
    cancellationId || leftTo ? bulkOutcomeLabels[outcome] : '',
    describe(row),
    cancellationId ? (row.reason ?? '') : '',
    cancellationId ?? '',
  ]
}

/**
 * The result of a bulk as a CSV file (RFC 4180, formulas defused), page by page: one row for every row of the
 * list, those too that were no part of what was carried out. Each names its cancellation by id.
 */
export async function* writeBulkResult(
  db: Database,
  bulk: BulkRow,
  unit: AmountUnit,
): AsyncGenerator<string, void, void> {
  yield writeCsv([head])
  for await (const rows of walkBulkRows(db, bulk)) {
    // The mark of the encoding stands at the beginning of the file alone.
    yield writeCsv(rows.map((row) => writeRow(row, unit))).slice(1)
  }
}
