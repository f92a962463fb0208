import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ExportQuery } from '@/lib/domain/lists/list-export'
import type { Database } from '@/lib/database/database'
import { pickExportColumns } from '@/lib/domain/lists/export-columns'
import { writeCsvRow } from '@/lib/domain/csv'
import { appendActivity } from '../activity-log/append'
import { announceExport } from '../changes/announce-changes'
import { AppError } from '../runtime/app-error'
import type { Session } from '../auth/session'
import { listExports } from '../store/export-schema'
import { endExport } from './end-export'
import { byteOrderMark, storePart } from './export-parts'
import { findForeignFields } from './query-fields'
import { countExport } from './quota'
import { exportColumns, type ExportRow, goesOn, hasMoreToRead, isInterrupted, isSameLease, nextLease } from './queries'
import * as m from '@/lib/messages/m'

function describeExportEvent({ id, connectionId, query }: ExportRow, { email }: Session, action: string) {
  const { list, filters, columns, zone } = query
  const details = { list, filters, columns, zone }
  return { connectionId, actor: email, action, objectKind: 'export', objectId: id, details }
}

/** Throws AppError 'not-possible' while an export of this user runs. Locks until the transaction ends. */
async function requireNoneRunning(tx: Database, { userId }: Session): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`exports ${userId}`}, 0))`)
  const running = await tx
    .select(exportColumns)
    .from(listExports)
    .where(and(eq(listExports.userId, userId), eq(listExports.state, 'running')))
  if (!running.every(isInterrupted)) throw new AppError('not-possible', { detail: m.refusals_anotherExportIsRunning() })
}

/**
 * Starts an export and writes its header. One at a time per user. Throws AppError 'bad-request' (no valid column, or a
 * filter by a field that the list doesn't have),
 * 'not-possible' (another one runs) and 'too-many-attempts' (see countExport).
 */
export async function startExport(
  db: Database,
  session: Session,
  query: ExportQuery,
  scheduleId: string | null = null,
): Promise<ExportRow> {
  const columns = pickExportColumns(query.list, query.columns)
  if (columns.length === 0)
    throw new AppError('bad-request', { errors: { columns: [m.fields_chooseAtLeastOneColumn()] } })
  // A schedule may be older than the rule that its request is checked by.
  const [foreign] = findForeignFields(query)
  if (foreign)
    throw new AppError('bad-request', {
      errors: { [foreign.part]: [m.requestRules_namesNoFieldOfList({ field: foreign.field })] },
    })
  const text = writeCsvRow(
    columns.flatMap(({ heads }) => heads),
    query.flavour,
  )
  return db.transaction(async (tx) => {
    await requireNoneRunning(tx, session)
    await countExport(tx, session)
    const [row] = await tx
      .insert(listExports)
      .values({
        id: randomUUID(),
        connectionId: session.scope.connectionId,
        userId: session.userId,
        startedBy: session.email,
        scheduleId,
        query: { ...query, columns: columns.map(({ id }) => id) },
        state: 'running',
        holder: randomUUID(),
        leaseUntil: nextLease(),
        parts: 1,
        bytes: Buffer.byteLength(byteOrderMark + text),
      })
      .returning(exportColumns)
    if (!row) throw new Error('the export was not stored')
    await storePart(tx, { exportId: row.id, part: 0, text })
    await announceExport(tx, row)
    await appendActivity(tx, describeExportEvent(row, session, 'export.start'))
    return row
  })
}

/** Stops an export after the current page, or keeps the desk from going on with it; it can be resumed. */
export function stopExport(db: Database, session: Session, { id }: Pick<ExportRow, 'id'>): Promise<ExportRow> {
  const isIt = eq(listExports.id, id)
  return db.transaction(async (tx) => {
    const [row] = await tx.select(exportColumns).from(listExports).where(isIt).for('update')
    if (!row) throw new AppError('not-found')
    if (row.state === 'running' && !isInterrupted(row)) {
      const end = { state: 'stopped', reason: 'by-person', changedAt: new Date(), endedAt: new Date() } as const
      await tx.update(listExports).set(end).where(isIt)
      await announceExport(tx, row)
    } else if (row.state === 'running' || goesOn(row, row.reason ?? '')) {
      await endExport(tx, session.email, { row, sha256: row.sha256 }, { reason: 'by-person' })
    }
    const [stopped] = await tx.select(exportColumns).from(listExports).where(isIt)
    return stopped ?? row
  })
}

/**
 * Resumes a stopped export; null if it cannot be resumed or someone else was faster. `isUnasked`: the desk does so by itself,
 * which is neither counted against the person nor logged: it may be often. Throws like startExport.
 */
export async function resumeExport(
  db: Database,
  session: Session,
  row: ExportRow,
  isUnasked = false,
): Promise<ExportRow | null> {
  if (!hasMoreToRead(row) || (row.state === 'running' && !isInterrupted(row))) return null
  return db.transaction(async (tx) => {
    await requireNoneRunning(tx, session)
    if (!isUnasked) await countExport(tx, session)
    const [resumed] = await tx
      .update(listExports)
      .set({
        state: 'running',
        reason: null,
        resumptions: isUnasked ? row.resumptions + 1 : 0,
        holder: randomUUID(),
        leaseUntil: nextLease(),
        sha256: null,
        changedAt: new Date(),
        endedAt: null,
      })
      .where(
        and(
          isSameLease(row),
          eq(listExports.parts, row.parts),
          eq(listExports.state, row.state),
          // Stopped by its person meanwhile, it stays so.
          row.reason === null ? isNull(listExports.reason) : eq(listExports.reason, row.reason),
        ),
      )
      .returning(exportColumns)
    if (resumed) {
      await announceExport(tx, resumed)
      if (!isUnasked) await appendActivity(tx, describeExportEvent(resumed, session, 'export.resume'))
    }
    return resumed ?? null
  })
}
