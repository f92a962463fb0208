import { formatFilter, formatOrder } from '@/lib/contract/filter'
import { describeExport } from '@/lib/format/describe-export'
import { currencyExponents } from '@/lib/format/currency-exponents'
import { type ExportRow, viewExport } from './export-row'

/** The name of an export's files, without what follows the point. */
export function nameExport({ id, query, createdAt }: ExportRow): string {
  const list = query.list.replace(/^list/u, '').toLowerCase()
  return `${list}-${createdAt.toISOString().slice(0, 10)}-${id.slice(0, 8)}`
}

/**
 * What is stated of an export, as the file beside it: what it holds, how it was asked for, whether it is
 * whole, what it sums up to and the SHA-256 by which the file can be known.
 */
export function writeStatement(row: ExportRow, merchant: string): Record<string, unknown> {
  const view = viewExport(row)
  const { list, asked, rest, order, filters, columns, zone } = row.query
  return {
    file: `${nameExport(row)}.csv`,
    sha256: row.sha256,
    bytes: row.bytes,
    result: describeExport(view, 'en-GB'),
    complete: view.state === 'complete',
    stoppedBecause: view.reason,
    rows: row.rows,
    rowsReadAndLeftOut: row.leftOut,
    entriesThatCouldNotBeRead: row.unreadable,
    sums: row.sums.map((sum) => ({ ...sum, exponent: currencyExponents.get(sum.currency) ?? null })),
    merchant,
    list,
    filters,
    askedOfTheService: asked === null ? null : formatFilter(asked),
    appliedByTheDesk: rest === null ? null : formatFilter(rest),
    order: order === null ? null : formatOrder([order]),
    columns,
    localTimesIn: zone,
    by: row.startedBy,
    startedAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
