import { eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { appendActivity } from '../activity-log/append'
import { announceExport } from '../changes/announce-changes'
import { noteForMail } from '../mail/notices'
import { exportSchedules, listExports } from '../store/export-schema'
import { type ExportRow, goesOn } from './queries'

/** `reason` is null if the list was read to its end. */
export type ExportEnd = { reason: string | null }

/**
 * Stores the end of an export whose row is locked, and tells whom it concerns. What its person has stopped meanwhile keeps
 * that reason. `sha256` is null if not all parts could be read again; `actor` is who it is logged for.
 */
export async function endExport(
  tx: Database,
  actor: string,
  { row, sha256 }: { row: ExportRow; sha256: string | null },
  end: ExportEnd,
): Promise<void> {
  const reason = row.reason === 'by-person' ? row.reason : end.reason
  const now = new Date()
  const state = reason === null ? 'complete' : 'stopped'
  // One that was interrupted stopped when it last wrote.
  const changedAt = reason === 'interrupted' ? row.changedAt : now
  await tx
    .update(listExports)
    .set({ state, reason, sha256, leaseUntil: null, changedAt, endedAt: now })
    .where(eq(listExports.id, row.id))
  const { id, connectionId, userId, scheduleId, resumptions } = row
  if (scheduleId !== null)
    await tx.update(exportSchedules).set({ problem: reason }).where(eq(exportSchedules.id, scheduleId))
  await announceExport(tx, row)
  const isContinued = reason !== null && goesOn(row, reason)
  if (state === 'complete')
    await noteForMail(tx, { key: `export-ready ${id}`, connectionId, kind: 'export-ready', subject: id, userId })
  else if (!isContinued && reason !== 'by-person') {
    // It may be resumed, and stop again.
    const key = `export-stopped ${id} ${row.holder}`
    await noteForMail(tx, { key, connectionId, kind: 'export-stopped', subject: id, userId })
  }
  // That it stopped is logged already.
  if (resumptions > 0 && isContinued) return
  await appendActivity(tx, {
    connectionId,
    actor,
    action: 'export.end',
    objectKind: 'export',
    objectId: id,
    outcome: reason === null || reason === 'by-person' ? 'done' : 'failed',
    details: { list: row.query.list, state, reason, rows: row.rows, sums: row.sums, sha256 },
  })
}
