import { asc, isNotNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { agreements, mandates, payments } from '../store/schema'
import { advanceDuePayments, cancelDuePayments } from './payment-lifecycle'
import { activateDueAgreements, advanceDueMandates, billDueMandates } from './mandate-lifecycle'

/** The kinds of simulated steps: the column with their due time, and the function that takes all due steps. */
const kinds = [
  { table: payments, column: payments.cancelAt, take: cancelDuePayments },
  { table: payments, column: payments.nextAt, take: advanceDuePayments },
  { table: agreements, column: agreements.nextAt, take: activateDueAgreements },
  { table: mandates, column: mandates.nextAt, take: advanceDueMandates },
  { table: mandates, column: mandates.billAt, take: billDueMandates },
] as const

/** How much time is simulated at once when a clock has jumped. */
const STRIDE_MS = 3_600_000
/** Strides per call, so that the service can do other work and stop in between. */
const MAX_STRIDES = 20

type TakeSteps = (db: Database, at: Date) => Promise<number>

/** The earliest due time of each kind that has one. */
async function findDue(db: Database): Promise<{ at: Date; take: TakeSteps }[]> {
  const found: { at: Date; take: TakeSteps }[] = []
  for (const { table, column, take } of kinds) {
    const [row] = await db.select({ at: column }).from(table).where(isNotNull(column)).orderBy(asc(column)).limit(1)
    if (row?.at) found.push({ at: row.at, take })
  }
  return found
}

/**
 * Takes the steps that are due by `now` in chronological order, each with a timestamp within an hour of its due time,
 * so that a clock jump of weeks has the same result as weeks passing. Returns when to call again; null when nothing
 * will be due.
 */
export async function takeDueSteps(db: Database, now: Date): Promise<Date | null> {
  for (let strides = 0; strides < MAX_STRIDES; strides += 1) {
    const due = await findDue(db)
    if (due.length === 0) return null
    const earliest = Math.min(...due.map(({ at }) => at.getTime()))
    if (earliest > now.getTime()) return new Date(earliest)
    const until = new Date(Math.min(earliest + STRIDE_MS, now.getTime()))
    let taken = 0
    for (const { at, take } of due) if (at <= until) taken += await take(db, until)
    // Another process on this database has locked the due rows: retry later.
    if (taken === 0) return new Date(now.getTime() + 1_000)
  }
  return now
}
