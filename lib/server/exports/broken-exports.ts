import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, not, notInArray, or, sql } from 'drizzle-orm'
import { isOlderThan } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { passingReasons } from '@/lib/domain/lists/list-export'
import { getSettings } from '../runtime/settings'
import { exportSchedules, listExports } from '../store/export-schema'
import { isLeased, MAX_SKEW_MS } from '../store/leases'
import { defaultConnectionId } from '../store/schema'
import { needsPersonsToken } from '../upstream/connection'
import { endExport } from './end-export'
import { exportColumns, type ExportRow, getOwnLeases, isSameLease, mayGoOn } from './queries'

/** A schedule waits this long where it can't start, as another export of its person runs or the store failed, or broke off. */
export const RETRY_MS = 5 * 60_000
/** An export of a person's own, which they may be waiting for, is continued sooner, unless the service is asked too often. */
const OWN_RETRY_MS = 30_000
/** Shorter than one is continued after it stopped (see mayGoOn). */
const MAX_OWN_PAUSE_MS = 60 * 60_000
/** Looked at together. */
const MAX_BROKEN = 20

/** `schedule` is null for an export of a person's own. */
export type BrokenRun = { row: ExportRow; schedule: typeof exportSchedules.$inferSelect | null }

/** Stops an export that nobody works on, for `reason`, unless it has changed meanwhile. */
function stopUnattended(db: Database, row: ExportRow, reason: string): Promise<void> {
  return db.transaction(async (tx) => {
    const isSame = and(isSameLease(row), eq(listExports.state, row.state), not(isLeased(listExports.leaseUntil)))
    const [locked] = await tx.select(exportColumns).from(listExports).where(isSame).for('update')
    if (locked) await endExport(tx, 'desk', { row: locked, sha256: locked.sha256 }, { reason })
  })
}

/** Leaves an export alone whose person may not work for the merchant any more. */
export const leaveStopped = (db: Database, row: ExportRow) => stopUnattended(db, row, 'author-left')

/** Stops the exports whose processes have died. Throws store errors. */
export async function stopInterrupted(db: Database): Promise<void> {
  const { state, holder, leaseUntil, changedAt } = listExports
  const rows = await db
    .select(exportColumns)
    .from(listExports)
    .where(
      and(eq(state, 'running'), not(isLeased(leaseUntil)), or(isNull(holder), notInArray(holder, [...getOwnLeases()]))),
    )
    .orderBy(asc(changedAt))
    .limit(MAX_BROKEN)
  for (const row of rows) await stopUnattended(db, row, 'interrupted')
}

/** Gives up what broke off of a schedule whose next run is made, in that transaction. */
export async function giveUpRuns(tx: Database, schedule: Pick<typeof exportSchedules.$inferSelect, 'id'>) {
  const { scheduleId, state, reason } = listExports
  const isBroken = and(eq(scheduleId, schedule.id), eq(state, 'stopped'), inArray(reason, passingReasons), mayGoOn)
  for (const row of await tx.select(exportColumns).from(listExports).where(isBroken).for('update'))
    await endExport(tx, 'desk', { row: { ...row, mayGoOn: false }, sha256: row.sha256 }, row)
  await tx.update(exportSchedules).set({ problem: null }).where(eq(exportSchedules.id, schedule.id))
}

/** Stopped exports that the desk continues now. The pause doubles each time that they get no further. */
export function findBroken(db: Database, now: number): Promise<BrokenRun[]> {
  const { connectionId, state, reason, after, parts, resumptions, changedAt, createdAt, scheduleId } = listExports
  const doubled = (pauseMs: number) => sql`${pauseMs}::double precision * power(2, ${resumptions})`
  const pause = sql`case
    when ${isNotNull(scheduleId)} then ${doubled(RETRY_MS)}
    when ${eq(reason, 'upstream-slow-down')} then least(${doubled(RETRY_MS)}, ${MAX_OWN_PAUSE_MS}::double precision)
    else ${doubled(OWN_RETRY_MS)}
  end`
  return db
    .select({ row: exportColumns, schedule: exportSchedules })
    .from(listExports)
    .leftJoin(exportSchedules, eq(exportSchedules.id, scheduleId))
    .where(
      and(
        eq(state, 'stopped'),
        inArray(reason, passingReasons),
        // As goesOn.
        mayGoOn,
        or(isNotNull(after), lte(parts, 1)),
        needsPersonsToken(defaultConnectionId) ? ne(connectionId, defaultConnectionId) : undefined,
        or(
          sql`${changedAt} + ${pause} * interval '1 millisecond' <= ${new Date(now).toISOString()}::timestamptz`,
          // By a clock that was ahead.
          gt(changedAt, new Date(now + MAX_SKEW_MS)),
        ),
        not(isOlderThan(createdAt, getSettings().KEEP_EXPORTS)),
      ),
    )
    .orderBy(asc(changedAt))
    .limit(MAX_BROKEN)
}
