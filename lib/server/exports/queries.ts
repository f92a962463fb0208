import { and, desc, eq, getTableColumns, isNull, not, type SQL } from 'drizzle-orm'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { databaseTime, isOlderThan } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { describeExport, type ListExportView } from '@/lib/domain/lists/list-export'
import { currencyExponents } from '@/lib/domain/money'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { listExports } from '../store/export-schema'
import { isLeased } from '../store/leases'
import * as refusals from '@/lib/words/refusals'

/** What is read of an export: its columns, and whether somebody writes it. */
export const exportColumns = { ...getTableColumns(listExports), isLeased: isLeased(listExports.leaseUntil) }
export type ExportRow = typeof listExports.$inferSelect & { isLeased: boolean }

/** An export that runs writes at least every so often; one that does not has lost its process. In milliseconds. */
const lease = 30_000

/** The lease of whoever writes a page of an export now. */
export const nextLease = (): SQL<Date> => databaseTime(lease)

declare global {
  /** The turns that this process has at exports; one set per process, for Next loads this module once per graph. */
  var debitdeskExports: Set<string> | undefined
}

/** The turns (see `holder`) that this process has at exports. */
export function getRunningExports(): Set<string> {
  return (globalThis.debitdeskExports ??= new Set())
}

/** Whether it is said to run and nobody works on it: the desk was restarted. */
export function isInterrupted({ holder, state, isLeased: isAtWork }: ExportRow): boolean {
  return state === 'running' && !getRunningExports().has(holder ?? '') && !isAtWork
}

/** The export while it is still the turn that this row was read at: nobody else has taken it up. */
export function isSameTurn({ id, holder }: Pick<ExportRow, 'id' | 'holder'>): SQL | undefined {
  return and(eq(listExports.id, id), holder === null ? isNull(listExports.holder) : eq(listExports.holder, holder))
}

/** The session's own exports. Those past their days exist for nobody, whether they are deleted already or not. */
function own({ scope, userId }: Session) {
  return and(
    eq(listExports.connectionId, scope.connectionId),
    eq(listExports.userId, userId),
    not(isOlderThan(listExports.createdAt, getSettings().KEEP_EXPORTS)),
  )
}

/** An export of the session's own; those of others do not exist for it. Throws AppError 'not-found'. */
export async function findExport(db: Database, session: Session, exportId: string): Promise<ExportRow> {
  const [row] = await db
    .select(exportColumns)
    .from(listExports)
    .where(and(own(session), eq(listExports.id, exportId)))
  if (!row) throw new AppError('not-found', { detail: refusals.thereIsNoSuchExport(getSettings().KEEP_EXPORTS) })
  return row
}

/** The session's own exports that are still kept, newest first. */
export function listOwnExports(db: Database, session: Session): Promise<ExportRow[]> {
  return db.select(exportColumns).from(listExports).where(own(session)).orderBy(desc(listExports.createdAt)).limit(5)
}

/** An export as people are told of it. */
export function viewExport(row: ExportRow): ListExportView {
  const lost = isInterrupted(row)
  const state = lost ? 'stopped' : row.state
  const reason = lost ? 'interrupted' : row.reason
  return {
    exportId: row.id,
    list: row.query.list,
    filters: row.query.filters,
    state,
    reason,
    mayResume: state === 'stopped' && reason !== 'list-incomplete',
    rows: row.rows,
    leftOut: row.leftOut,
    unreadable: row.unreadable,
    sums: row.sums,
    bytes: row.bytes,
    sha256: row.sha256,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

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
    order: order === null ? null : formatSortOrder([order]),
    columns,
    localTimesIn: zone,
    by: row.startedBy,
    startedAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
