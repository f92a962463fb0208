import { and, desc, eq, getTableColumns, isNull, not, type SQL, sql } from 'drizzle-orm'
import { formatFilter, formatSortOrder } from '@/lib/api-contract/filter'
import { databaseTime, isOlderThan } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { dayInZone } from '@/lib/domain/dates/date'
import { describeExport, listExportOrders, type ListExportView, passingReasons } from '@/lib/domain/lists/list-export'
import { currencyExponents } from '@/lib/domain/amounts/money'
import type { Session } from '../auth/session'
import { AppError } from '../runtime/app-error'
import { getSettings } from '../runtime/settings'
import { listExports } from '../store/export-schema'
import { isLeased, MAX_SKEW_MS } from '../store/leases'
import { needsPersonsToken } from '../upstream/connection'
import * as m from '@/lib/messages/m'

/** How often the desk continues an export of a person's own unasked, within some hours, while it gets no further. */
const MAX_RESUMPTIONS = 8
/** Nobody waits for one that stopped longer ago: it would begin by itself after days without the desk. */
const CONTINUED_MS = 3 * 60 * 60_000

/**
 * Whether the desk continues an export that breaks off: a run of a schedule until the next is made, one of a person's own
 * some times, unless they have made it anew.
 */
export const mayGoOn = sql<boolean>`case
  when list_exports.schedule_id is null
    then list_exports.resumptions < ${MAX_RESUMPTIONS} and list_exports.changed_at > ${databaseTime(-CONTINUED_MS)}
  else exists (select from export_schedules where export_schedules.id = list_exports.schedule_id)
end and not exists (
  select from list_exports as newer
  where newer.connection_id = list_exports.connection_id
    and newer.user_id = list_exports.user_id
    and newer.created_at > list_exports.created_at
    and newer.created_at <= ${databaseTime(MAX_SKEW_MS)}
    and case
      when list_exports.schedule_id is null then newer.query = list_exports.query
      else newer.schedule_id = list_exports.schedule_id
    end
)`

export const exportColumns = { ...getTableColumns(listExports), isLeased: isLeased(listExports.leaseUntil), mayGoOn }
export type ExportRow = typeof listExports.$inferSelect & { isLeased: boolean; mayGoOn: boolean }

/** A running export writes at least this often; otherwise its process has died. */
export const LEASE_MS = 30_000

export const nextLease = (): SQL<Date> => databaseTime(LEASE_MS)

declare global {
  /** Global because Next loads this module once per module graph. */
  var debitdeskExports: Set<string> | undefined
}

/** The leases (see `holder`) of this process. */
export function getOwnLeases(): Set<string> {
  return (globalThis.debitdeskExports ??= new Set())
}

/** Whether it is marked as running although no process works on it. */
export function isInterrupted({ holder, state, isLeased: isAtWork }: ExportRow): boolean {
  return state === 'running' && !getOwnLeases().has(holder ?? '') && !isAtWork
}

/** Whether its person has stopped it, and its writer has yet to complete the page under way and the hash. */
function isEnding({ holder, state, reason, sha256, isLeased: isAtWork }: ExportRow): boolean {
  const isStopped = state === 'stopped' && reason === 'by-person' && sha256 === null
  return isStopped && (isAtWork || getOwnLeases().has(holder ?? ''))
}

/** Whether there is a place to go on from: after its last page an export has no cursor, and would begin anew. */
export function hasMoreToRead({ reason, after, parts }: ExportRow): boolean {
  return reason !== 'list-incomplete' && (after !== null || parts <= 1)
}

/** Whether the desk continues by itself an export that stopped for `reason`. */
export function goesOn(row: ExportRow, reason: string): boolean {
  const { connectionId, mayGoOn: isTended } = row
  return passingReasons.includes(reason) && isTended && hasMoreToRead(row) && !needsPersonsToken(connectionId)
}

/** Matches the export only while its lease is the one in `row`. */
export function isSameLease({ id, holder }: Pick<ExportRow, 'id' | 'holder'>): SQL | undefined {
  return and(eq(listExports.id, id), holder === null ? isNull(listExports.holder) : eq(listExports.holder, holder))
}

/** Expired exports are hidden, even before they are deleted. */
function isOwn({ scope, userId }: Session) {
  return and(
    eq(listExports.connectionId, scope.connectionId),
    eq(listExports.userId, userId),
    not(isOlderThan(listExports.createdAt, getSettings().KEEP_EXPORTS)),
  )
}

/** An export of the user's own by its id, a UUID; undefined if there is none, or no longer. */
export async function findOwnExport(db: Database, session: Session, exportId: string): Promise<ExportRow | undefined> {
  const [row] = await db
    .select(exportColumns)
    .from(listExports)
    .where(and(isOwn(session), eq(listExports.id, exportId)))
  return row
}

/** Throws AppError 'not-found' if the user has no such export. */
export async function findExport(db: Database, session: Session, exportId: string): Promise<ExportRow> {
  const row = await findOwnExport(db, session, exportId)
  if (!row)
    throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchExport({ days: getSettings().KEEP_EXPORTS }) })
  return row
}

/** The user's own exports, newest first. */
export function listOwnExports(db: Database, session: Session): Promise<ExportRow[]> {
  return db.select(exportColumns).from(listExports).where(isOwn(session)).orderBy(desc(listExports.createdAt)).limit(30)
}

export function viewExport(row: ExportRow): ListExportView {
  const interrupted = isInterrupted(row)
  const state = interrupted ? 'stopped' : row.state
  const reason = interrupted ? 'interrupted' : row.reason
  return {
    exportId: row.id,
    list: row.query.list,
    filters: row.query.filters,
    state,
    reason,
    isEnding: isEnding(row),
    mayResume: state === 'stopped' && hasMoreToRead(row),
    goesOn: state === 'stopped' && goesOn(row, reason ?? ''),
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

/** The name of an export's files without extension, with its day in the business zone, by which exports are scheduled. */
export function nameExport({ id, query, createdAt }: ExportRow): string {
  const list = query.list.replace(/^list/u, '').toLowerCase()
  return `${list}-${dayInZone(createdAt.getTime(), getSettings().SCHEME_ZONE)}-${id.slice(0, 8)}`
}

/** The statement that accompanies the file: content, query, completeness, sums and SHA-256. */
export function writeStatement(row: ExportRow, merchant: string): Record<string, unknown> {
  const view = viewExport(row)
  const { list, asked, rest, filters, columns, zone } = row.query
  const orders = listExportOrders(row.query)
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
    order: orders.length === 0 ? null : formatSortOrder(orders),
    columns,
    localTimesIn: zone,
    by: row.startedBy,
    startedAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}
