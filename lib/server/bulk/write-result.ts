import type { BulkResultRow } from '@/lib/contract/bulk'
import type { Database } from '@/lib/database/open-database'
import { writeExactAmount } from '@/lib/format/decimal-amount'
import type { AmountUnit } from '@/lib/format/money'
import { outcomeLabels, verdictWords } from '@/lib/format/bulk-words'
import { describeOutcome } from '@/lib/format/outcome'
import { type CsvCell, writeCsv } from '@/lib/format/write-csv'
import type { BulkRow } from './bulk-row'
import { walkBulkRows } from './read-rows'

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
    return verdict === 'cancellable' ? '' : verdictWords[verdict]
  return describeOutcome({ outcome, reason: why, detail }) ?? ''
}

function writeNumber(digits: string): CsvCell {
  return digits === '' ? '' : { number: digits }
}

function writeRow(row: BulkResultRow, unit: AmountUnit): CsvCell[] {
  const { seen, facts, cancellationId, outcome, leftTo } = row
  const sent = seen?.amount ?? null
  const amount = writeExactAmount(sent, seen?.currency ?? null, unit)
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
    cancellationId || leftTo ? outcomeLabels[outcome] : '',
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
