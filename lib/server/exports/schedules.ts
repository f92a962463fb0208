import { randomUUID } from 'node:crypto'
import { and, asc, eq, lte } from 'drizzle-orm'
import { type Filter, joinFilters } from '@/lib/api-contract/filter'
import type { Database } from '@/lib/database/database'
import { dayInZone } from '@/lib/domain/dates/date'
import {
  type Capability,
  capabilitiesFor,
  capabilityForOrder,
  type CapabilityProofs,
} from '@/lib/domain/lists/capabilities'
import { makeDayFilter } from '@/lib/domain/lists/day-filter'
import { findDayPreset } from '@/lib/domain/lists/day-presets'
import {
  type ExportScheduleRequest,
  type ExportScheduleView,
  findLastRun,
  findNextRun,
} from '@/lib/domain/lists/export-schedule'
import { type ExportQuery, listExportOrders, toExportOrder } from '@/lib/domain/lists/list-export'
import { getLanguage } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'
import { appendActivity } from '../activity-log/append'
import { findMemberSession } from '../auth/member-session'
import type { Session } from '../auth/session'
import { AppError, toAppError, toInternalError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { type PeriodicTask, startPeriodicTask } from '../runtime/periodic-task'
import { runWithContext } from '../runtime/request-context'
import { getSettings } from '../runtime/settings'
import { startTrace } from '../runtime/trace'
import { exportSchedules, listExports } from '../store/export-schema'
import { MAX_SKEW_MS } from '../store/leases'
import { getStore } from '../store/store'
import { proveCapabilities } from '../upstream/capabilities'
import { needsPersonsToken } from '../upstream/connection'
import { type BrokenRun, findBroken, giveUpRuns, leaveStopped, RETRY_MS, stopInterrupted } from './broken-exports'
import { resumeExport, startExport } from './commands'
import { isSameLease } from './queries'
import { runExport } from './worker'

type ScheduleRow = typeof exportSchedules.$inferSelect

const MAX_SCHEDULES = 20
const CHECK_INTERVAL_MS = 30_000

const isOwn = ({ scope, userId }: Session) =>
  and(eq(exportSchedules.connectionId, scope.connectionId), eq(exportSchedules.userId, userId))

function describeEvent({ id, connectionId, query, times }: ScheduleRow, actor: string, action: string) {
  const details = { list: query.list, filters: query.filters, columns: query.columns, times }
  return { connectionId, actor, action, objectKind: 'export', objectId: id, details }
}

export function viewSchedule({ id, query, times, nextAt, problem }: ScheduleRow): ExportScheduleView {
  const { list, filters } = query
  return { scheduleId: id, list, filters, times, nextAt: nextAt.toISOString(), problem }
}

/** The person's own schedules, the next one first. */
export function listSchedules(db: Database, session: Session): Promise<ScheduleRow[]> {
  return db.select().from(exportSchedules).where(isOwn(session)).orderBy(asc(exportSchedules.nextAt))
}

/**
 * Schedules an export. Throws AppError 'not-possible' where the service is called with each person's own token, which
 * nobody has at that hour, and past 20 schedules.
 */
export async function createSchedule(
  db: Database,
  session: Session,
  { query, moving, times }: ExportScheduleRequest,
  now = Date.now(),
): Promise<ScheduleRow> {
  const { connectionId } = session.scope
  if (needsPersonsToken(connectionId)) throw new AppError('not-possible', { detail: m.refusals_schedulesNeedAToken() })
  return db.transaction(async (tx) => {
    if ((await tx.$count(exportSchedules, isOwn(session))) >= MAX_SCHEDULES)
      throw new AppError('not-possible', { detail: m.refusals_mostSchedules({ most: MAX_SCHEDULES }) })
    const [row] = await tx
      .insert(exportSchedules)
      .values({
        id: randomUUID(),
        connectionId,
        userId: session.userId,
        query,
        moving,
        times,
        language: getLanguage(),
        nextAt: new Date(findNextRun(times, now, getSettings().SCHEME_ZONE)),
      })
      .returning()
    if (!row) throw new Error('the schedule was not stored')
    await appendActivity(tx, describeEvent(row, session.email, 'export.schedule'))
    return row
  })
}

/** Deletes a schedule and returns what would create it again; what it has exported stays. Throws AppError 'not-found'. */
export function deleteSchedule(db: Database, session: Session, scheduleId: string): Promise<ExportScheduleRequest> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .delete(exportSchedules)
      .where(and(isOwn(session), eq(exportSchedules.id, scheduleId)))
      .returning()
    if (!row) throw new AppError('not-found', { detail: m.refusals_thereIsNoSuchSchedule() })
    await appendActivity(tx, describeEvent(row, session.email, 'export.unschedule'))
    const { query, moving, times } = row
    return { query, moving, times }
  })
}

function listMovingDays({ moving }: Pick<ScheduleRow, 'moving'>, day: string, zone: string): Filter[] {
  return moving.flatMap(({ field, preset }) => {
    const range = findDayPreset(preset)?.days(day)
    return range ? [makeDayFilter(field, range, zone)] : []
  })
}

/** What the service must be able to do for all of a schedule's query to be asked of it. */
function listNeededCapabilities({ query }: ScheduleRow, days: readonly Filter[]): Capability[] {
  const filter = joinFilters('and', [query.asked, ...days])
  const orders = listExportOrders(query)
  return [...(filter ? capabilitiesFor(filter) : []), ...(orders.length > 0 ? [capabilityForOrder(orders)] : [])]
}

/**
 * The query of a run whose moving days have become ranges. The service filters and sorts only by what is proven now: when the
 * export was scheduled it may have been another one, or able to do more.
 */
export function resolveQuery(
  { query, moving }: Pick<ScheduleRow, 'query' | 'moving'>,
  day: string,
  { zone, proofs }: { zone: string; proofs: CapabilityProofs },
): ExportQuery {
  const days = listMovingDays({ moving }, day, zone)
  const isProven = (capability: Capability) => proofs[capability] === true
  const orders = listExportOrders(query)
  const base = { ...query, asked: null, order: isProven(capabilityForOrder(orders)) ? toExportOrder(orders) : null }
  return [query.asked, ...days].reduce<ExportQuery>((resolved, filter) => {
    const asked = joinFilters('and', [resolved.asked, filter])
    return asked === null || capabilitiesFor(asked).every(isProven)
      ? { ...resolved, asked }
      : { ...resolved, rest: joinFilters('and', [resolved.rest, filter]) }
  }, base)
}

/** Moves a schedule to its next time; false if another desk was faster: several look at the same schedules. */
async function moveOn(
  tx: Database,
  { id, nextAt }: ScheduleRow,
  next: Pick<ScheduleRow, 'nextAt' | 'problem'>,
): Promise<boolean> {
  const moved = await tx
    .update(exportSchedules)
    .set(next)
    .where(and(eq(exportSchedules.id, id), eq(exportSchedules.nextAt, nextAt)))
    .returning({ id: exportSchedules.id })
  return moved.length > 0
}

/** Deletes the schedule of a person who may not work for the merchant any more. */
async function endSchedule(db: Database, schedule: ScheduleRow): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx
      .delete(exportSchedules)
      .where(eq(exportSchedules.id, schedule.id))
      .returning({ id: exportSchedules.id })
    if (ended.length > 0) await appendActivity(tx, describeEvent(schedule, 'desk', 'export.unschedule'))
  })
}

async function runSchedule(db: Database, schedule: ScheduleRow, now: number): Promise<void> {
  const { SCHEME_ZONE: zone } = getSettings()
  const nextAt = new Date(findNextRun(schedule.times, now, zone))
  try {
    const session = await findMemberSession(db, schedule)
    if (!session) return await endSchedule(db, schedule)
    // A run that is late is of the days that it was planned for.
    const day = dayInZone(findLastRun(schedule.times, now, zone), zone)
    const needed = listNeededCapabilities(schedule, listMovingDays(schedule, day, zone))
    const proofs = await proveCapabilities(session, schedule.query.list, needed)
    const query = resolveQuery(schedule, day, { zone, proofs })
    // At once, so that a failure in between loses no run.
    const row = await db.transaction(async (tx) => {
      if (!(await moveOn(tx, schedule, { nextAt, problem: null }))) return null
      await giveUpRuns(tx, schedule)
      return startExport(tx, session, query, schedule.id)
    })
    if (row) void runExport(db, session, row)
  } catch (error) {
    const { code } = toAppError(error, toInternalError)
    if (code === 'internal')
      log.warn({ event: 'schedule-not-run', scheduleId: schedule.id, error: describeError(error) })
    // A query that its list refuses would be refused again.
    const retryAt = code === 'bad-request' ? nextAt : new Date(Math.min(now + RETRY_MS, nextAt.getTime()))
    // Other codes would be read as those of a run that started.
    const problem = code === 'bad-request' || code.startsWith('upstream-') ? code : 'not-possible'
    await moveOn(db, schedule, { nextAt: retryAt, problem })
  }
}

async function resumeRun(db: Database, { row, schedule }: BrokenRun, now: number) {
  try {
    const session = await findMemberSession(db, row)
    if (!session) {
      if (schedule) await endSchedule(db, schedule)
      return await leaveStopped(db, row)
    }
    const resumed = await resumeExport(db, session, row, true)
    if (resumed) void runExport(db, session, resumed)
  } catch (error) {
    const { code } = toAppError(error, toInternalError)
    if (code === 'internal') log.warn({ event: 'export-not-resumed', exportId: row.id, error: describeError(error) })
    // Tried again after the same pause.
    await db
      .update(listExports)
      .set({ changedAt: new Date(now) })
      .where(isSameLease(row))
    if (schedule)
      await db
        .update(exportSchedules)
        .set({ problem: row.reason ?? 'interrupted' })
        .where(eq(exportSchedules.id, schedule.id))
  }
}

/** Moves schedules back that a clock which was ahead moved past their next time. */
async function correctTimes(db: Database, now: number): Promise<void> {
  const { SCHEME_ZONE: zone } = getSettings()
  for (const schedule of await db.select().from(exportSchedules)) {
    const { times, nextAt, problem } = schedule
    if (nextAt.getTime() > findNextRun(times, now + MAX_SKEW_MS, zone))
      await moveOn(db, schedule, { nextAt: new Date(findNextRun(times, now, zone)), problem })
  }
}

/** Starts the exports that are due. After a downtime each is made once. Continues those that broke off, also of persons. */
export async function runDueSchedules(db: Database, now = Date.now()): Promise<void> {
  const inLanguage = (schedule: ScheduleRow | null, work: () => Promise<void>) =>
    runWithContext({ ...startTrace(), ...(schedule && { language: schedule.language }) }, work)
  await correctTimes(db, now)
  await stopInterrupted(db)
  const due = await db
    .select()
    .from(exportSchedules)
    .where(lte(exportSchedules.nextAt, new Date(now)))
    .orderBy(asc(exportSchedules.nextAt))
    .limit(MAX_SCHEDULES)
  for (const schedule of due) await inLanguage(schedule, () => runSchedule(db, schedule, now))
  for (const broken of await findBroken(db, now)) await inLanguage(broken.schedule, () => resumeRun(db, broken, now))
}

declare global {
  var debitdeskExportSchedules: PeriodicTask | undefined
}

/** Looks for due exports every half minute, in the background. */
export function startExportSchedules(): void {
  globalThis.debitdeskExportSchedules ??= startPeriodicTask(async () => {
    try {
      const { db, clock } = await getStore()
      await runDueSchedules(db, clock.wall().getTime())
    } catch (error) {
      log.warn({ event: 'schedules-not-run', error: describeError(error) })
    }
  }, CHECK_INTERVAL_MS)
}

/** Stops looking, after the current run. */
export async function stopExportSchedules(): Promise<void> {
  await globalThis.debitdeskExportSchedules?.stop()
}
