import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { and, asc, eq, gt, gte, or } from 'drizzle-orm'
import type { Database, OpenDatabase } from '@/lib/database/database'
import type { BulkResultRow, BulkRows } from '@/lib/domain/cancellations/bulk-cancellation'
import { labelRow, verdictLabels } from '@/lib/domain/cancellations/bulk-messages'
import { describeOutcome } from '@/lib/domain/cancellations/outcome-reasons'
import { type CsvCell, type CsvFlavour, writeCsv } from '@/lib/domain/csv'
import { writeAmountCells } from '@/lib/domain/amounts/exact-amounts'
import type { AmountUnit } from '@/lib/domain/amounts/money'
import { bulkRows } from '../store/bulk-schema'
import { cancellations } from '../store/schema'
import { type BulkRow, toBulkOutcome } from './queries'
import { findReason } from './start-intents'

const PAGE_SIZE = 2_000
/** A transaction that commits late may have earlier timestamps. */
const OVERLAP_MS = 5_000

const COLUMNS = {
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

type JoinedRow = Awaited<ReturnType<typeof selectRows>>[number]

function selectRows(
  db: Database,
  bulkId: string,
  { from, limit, since }: { from: number; limit: number; since?: Date },
) {
  const changedAfter = since && new Date(since.getTime() - OVERLAP_MS)
  return db
    .select(COLUMNS)
    .from(bulkRows)
    .leftJoin(cancellations, eq(cancellations.id, bulkRows.cancellationId))
    .where(
      and(
        eq(bulkRows.bulkId, bulkId),
        gte(bulkRows.position, from),
        changedAfter && or(gt(cancellations.stateSince, changedAfter), gt(bulkRows.changedAt, changedAfter)),
      ),
    )
    .orderBy(asc(bulkRows.position))
    .limit(limit)
}

function toResultRow({ state, text, listReason, closedAt, ...row }: JoinedRow, bulk: BulkRow): BulkResultRow {
  const shared = { ...row, reason: text ?? findReason({ position: row.position, reason: listReason }, bulk.confirmed) }
  // The start was stopped before its cancellation was written. Of a restored backup: it may have been sent since.
  if (row.verdict === 'cancellable' && bulk.state === 'stopped' && state === null && row.leftTo === null)
    return {
      ...shared,
      outcome: 'not-cancelled',
      why: bulk.problem === 'restored' ? 'restored' : 'stopped',
      closed: true,
    }
  return {
    ...shared,
    outcome: state === null ? (row.leftTo === null ? 'unsent' : 'left') : toBulkOutcome(state),
    closed: closedAt !== null,
  }
}

type RowRange = { from: number; since: Date | null }

async function readPage(db: Database, bulk: BulkRow, { from, since }: RowRange): Promise<Omit<BulkRows, 'asOf'>> {
  const rows = await selectRows(db, bulk.id, { from, limit: PAGE_SIZE, ...(since && { since }) })
  const last = rows.at(-1)
  return {
    rows: rows.map((row) => toResultRow(row, bulk)),
    next: last && rows.length === PAGE_SIZE ? last.position + 1 : null,
  }
}

/** Up to 2,000 rows of a bulk from a position on; with `since`, only those changed after it. */
export async function readBulkRows(
  { db, clock }: Pick<OpenDatabase, 'db' | 'clock'>,
  bulk: BulkRow,
  range: RowRange,
): Promise<BulkRows> {
  const asOf = clock.now().toISOString()
  return { ...(await readPage(db, bulk, range)), asOf }
}

export async function* iterateBulkRows(db: Database, bulk: BulkRow): AsyncGenerator<BulkResultRow[], void, void> {
  for (let from: number | null = 0; from !== null; ) {
    const part: Omit<BulkRows, 'asOf'> = await readPage(db, bulk, { from, since: null })
    yield part.rows
    from = part.next
  }
}

const HEADER: readonly Message[] = [
  m.bulkResult_headRow,
  m.bulkResult_headGiven,
  m.bulkResult_headPaymentId,
  m.bulkResult_headReference,
  m.bulkResult_headPayer,
  m.bulkResult_headMode,
  m.bulkResult_headCurrency,
  m.bulkResult_headMinorUnits,
  m.bulkResult_headExponent,
  m.bulkResult_headDecimal,
  m.bulkResult_headAmountAsSent,
  m.bulkResult_headPartOfTheBulk,
  m.bulkResult_headOutcome,
  m.bulkResult_headWhy,
  m.bulkResult_headReasonGiven,
  m.bulkResult_headCancellationId,
]

function formatMode(test: boolean | null | undefined): string {
  if (test === null || test === undefined) return ''
  return test ? m.bulkResult_modeTest() : m.bulkResult_modeLive()
}

function describeResult({ outcome, why, detail, leftTo, verdict }: BulkResultRow): string {
  if (verdict !== 'cancellable') return verdictLabels[verdict]()
  if (leftTo !== null) return m.bulkStates_leftTo({ owner: leftTo })
  if (why === 'restored') return m.outcomes_reasonsRestored()
  if (outcome === 'unsent' || outcome === 'left') return ''
  return describeOutcome({ outcome, reason: why, detail }) ?? ''
}

function toCells(row: BulkResultRow, { startedAt }: BulkRow, unit: AmountUnit): CsvCell[] {
  const { seen, facts, cancellationId } = row
  const isPart = startedAt !== null && row.verdict === 'cancellable'
  const sent = seen?.amount ?? null
  return [
    row.position + 1,
    row.given,
    row.paymentId ?? '',
    facts?.reference ?? '',
    facts?.payer ?? '',
    formatMode(facts?.test),
    seen?.currency ?? '',
    ...writeAmountCells(sent, seen?.currency ?? null, unit),
    typeof sent === 'number' ? { number: String(sent) } : (sent ?? ''),
    isPart ? m.bulkResult_yes() : m.bulkResult_no(),
    isPart ? labelRow(row) : startedAt === null ? '' : m.bulkStates_notPart(),
    describeResult(row),
    cancellationId ? (row.reason ?? '') : '',
    cancellationId ?? '',
  ]
}

/** The result of a bulk as CSV (RFC 4180, formulas neutralised), with all rows of the list, sent or not. */
export async function* writeBulkResult(
  db: Database,
  bulk: BulkRow,
  unit: AmountUnit,
  flavour?: CsvFlavour,
): AsyncGenerator<string, void, void> {
  yield writeCsv([HEADER.map((name) => name())], flavour)
  for await (const rows of iterateBulkRows(db, bulk)) {
    // Only the first part keeps its byte order mark.
    yield writeCsv(
      rows.map((row) => toCells(row, bulk, unit)),
      flavour,
    ).slice(1)
  }
}
