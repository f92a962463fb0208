import { and, asc, eq, gt, inArray, isNotNull, lt, lte, ne, not, notExists, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isOlderThan } from '@/lib/database/clock'
import type { Database } from '@/lib/database/database'
import { passingReasons } from '@/lib/domain/lists/list-export'
import { getSettings } from '../runtime/settings'
import { exportSchedules, listExports } from '../store/export-schema'
import { isLeased, MAX_SKEW_MS } from '../store/leases'
import { defaultConnectionId } from '../store/schema'
import { needsPersonsToken } from '../upstream/connection'
import { exportColumns, type ExportRow, getOwnLeases, isSameLease, MAX_RESUMPTIONS } from './queries'

/** A schedule waits this long where it can't start, as another export of its person runs or the store failed, or broke off. */
export const RETRY_MS = 5 * 60_000
/** An export of a person's own, which they may be waiting for, is continued sooner. */
const OWN_RETRY_MS = 30_000
/** Looked at together. */
const MAX_BROKEN = 20

/** `schedule` is null for an export of a person's own. */
export type BrokenRun = { row: ExportRow; schedule: typeof exportSchedules.$inferSelect | null }

/**
 * Exports that broke off for a reason that passes, which nobody continues: the last runs of schedules, and those of persons
 * some times. The pause doubles each time.
 */
export function findBroken(db: Database, now: number): Promise<BrokenRun[]> {
  const newer = alias(listExports, 'newer')
  const { connectionId, state, reason, after, parts, resumptions, changedAt, createdAt, holder, leaseUntil } =
    listExports
  const isScheduled = isNotNull(exportSchedules.id)
  const pause = sql`case when ${isScheduled} then ${RETRY_MS}::double precision else ${OWN_RETRY_MS}::double precision end`
  return db
    .select({ row: exportColumns, schedule: exportSchedules })
    .from(listExports)
    .leftJoin(exportSchedules, eq(exportSchedules.id, listExports.scheduleId))
    .where(
      and(
        or(
          and(eq(state, 'stopped'), inArray(reason, passingReasons)),
          and(eq(state, 'running'), not(isLeased(leaseUntil)), notInArray(holder, [...getOwnLeases()])),
        ),
        or(
          isScheduled,
          and(
            lt(resumptions, MAX_RESUMPTIONS),
            // Nobody's token is there.
            needsPersonsToken(defaultConnectionId) ? ne(connectionId, defaultConnectionId) : undefined,
          ),
        ),
        or(
          sql`${changedAt} + ${pause} * power(2, ${resumptions}) * interval '1 millisecond' <= ${new Date(now).toISOString()}::timestamptz`,
          // By a clock that was ahead.
          gt(changedAt, new Date(now + MAX_SKEW_MS)),
        ),
        // As hasMoreToRead.
        or(isNotNull(after), lte(parts, 1)),
        not(isOlderThan(createdAt, getSettings().KEEP_EXPORTS)),
        notExists(
          db
            .select({ id: newer.id })
            .from(newer)
            .where(
              and(
                eq(newer.scheduleId, listExports.scheduleId),
                gt(newer.createdAt, createdAt),
                // Not one that seems newer, by a clock that was ahead.
                lte(newer.createdAt, new Date(now + MAX_SKEW_MS)),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(changedAt))
    .limit(MAX_BROKEN)
}

/** Leaves an export alone whose person may not work for the merchant any more. */
export async function leaveStopped(db: Database, row: ExportRow): Promise<void> {
  const now = new Date()
  await db
    .update(listExports)
    .set({ state: 'stopped', reason: 'author-left', leaseUntil: null, changedAt: now, endedAt: now })
    .where(isSameLease(row))
}
