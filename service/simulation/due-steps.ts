import { asc, isNotNull } from 'drizzle-orm'
import type { Database } from '@/lib/database/database'
import { agreements, mandates, payments } from '../store/schema'
import { advanceDuePayments, cancelDuePayments } from './payment-lifecycle'
import { activateDueAgreements, advanceDueMandates, billDueMandates } from './mandate-lifecycle'

/** What happens by itself: where its moment stands, and what takes all that is due by then. */
const kinds = [
  { table: payments, column: payments.cancelAt, take: cancelDuePayments },
  { table: payments, column: payments.nextAt, take: advanceDuePayments },
  { table: agreements, column: agreements.nextAt, take: activateDueAgreements },
  { table: mandates, column: mandates.nextAt, take: advanceDueMandates },
  { table: mandates, column: mandates.billAt, take: billDueMandates },
] as const

/** How much time is lived through at once when a clock has jumped, in milliseconds. */
const stride = 3_600_000
/** Strides before others get a turn (and the service can stop). */
const mostStrides = 20

type Take = (db: Database, at: Date) => Promise<number>

/** The earliest moment of each kind, where there is one. */
async function findDue(db: Database): Promise<{ at: Date; take: Take }[]> {
  const found: { at: Date; take: Take }[] = []
  for (const { table, column, take } of kinds) {
    const [row] = await db.select({ at: column }).from(table).where(isNotNull(column)).orderBy(asc(column)).limit(1)
    if (row?.at) found.push({ at: row.at, take })
  }
  return found
}

/**
 * Takes the steps that are due by `now`, in the order of time: a clock that has jumped by weeks leaves what
 * those weeks would have left, and each step carries the hour in which it was due. Answers when to be called
 * again; null when nothing will be due.
 */
export async function takeDueSteps(db: Database, now: Date): Promise<Date | null> {
  for (let strides = 0; strides < mostStrides; strides += 1) {
    const due = await findDue(db)
    if (due.length === 0) return null
    const earliest = Math.min(...due.map(({ at }) => at.getTime()))
    if (earliest > now.getTime()) return new Date(earliest)
    const until = new Date(Math.min(earliest + stride, now.getTime()))
    let taken = 0
    for (const { at, take } of due) if (at <= until) taken += await take(db, until)
    // Another process on this database holds what is due: it is asked again later.
    if (taken === 0) return new Date(now.getTime() + 1_000)
  }
  return now
}
