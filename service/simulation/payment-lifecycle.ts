import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import {
  addBusinessDays as addToDay,
  type BankCalendar,
  calendarOf,
  subtractBusinessDays,
} from '@/lib/api-contract/business-days'
import type { Database } from '@/lib/database/database'
import { paymentColumns, type PaymentRow, type PaymentState, viewPayments } from '../payments/payment'
import { payments } from '../store/schema'
import { recordEvents } from '../webhooks/events'

/**
 * The business day `count` after a date, or before it when negative; 0 moves a date that is none to the
 * next that is. Midnights UTC.
 */
export function addBusinessDays(date: Date, count: number, calendar: BankCalendar): Date {
  const day = date.toISOString().slice(0, 10)
  return new Date(count < 0 ? subtractBusinessDays(day, -count, calendar) : addToDay(day, count, calendar))
}

const hour = 3_600_000
const day = 24 * hour

/** Of a thousand payments this many are rejected, and from this one on those that settle are charged back. */
const rejectedBelow = 40
const chargedBackFrom = 985

export type LivingPayment = {
  id: string
  scheme: string
  status: string
  scheduleDate: Date
  paymentDate: Date
  settlementDate: Date | null
}

export type PaymentStep = { status: PaymentState; settlementDate?: Date; nextAt: Date | null }

/** What becomes of a payment, 0 to 999: drawn from its random id, so that it is the same however often it is asked. */
function fateOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) % 1_000
}

/** When a Pending payment is handed to its scheme: 11:00 UTC on its schedule date. Until then it can be cancelled. */
export function handOverAt(scheduleDate: Date): Date {
  return new Date(scheduleDate.getTime() + 11 * hour)
}

/** When the scheme's answer to a payment in its hands is known. */
export function answerAt({ id, scheme, paymentDate }: Pick<LivingPayment, 'id' | 'scheme' | 'paymentDate'>): Date {
  if (fateOf(id) < rejectedBelow) return new Date(paymentDate.getTime() + 14 * hour)
  return new Date(addBusinessDays(paymentDate, 1, calendarOf(scheme)).getTime() + 6 * hour)
}

/** The step that is due for a payment, by its state and its fate; null for states that end. */
export function nextStep(payment: LivingPayment): PaymentStep | null {
  const fate = fateOf(payment.id)
  if (payment.status === 'Pending') return { status: 'Scheduled', nextAt: answerAt(payment) }
  if (payment.status === 'Settled') return { status: 'Chargeback', nextAt: null }
  if (payment.status !== 'Scheduled') return null
  if (fate < rejectedBelow) return { status: 'Rejected', nextAt: null }
  const settlementDate = addBusinessDays(payment.paymentDate, 1, calendarOf(payment.scheme))
  const disputedAt = new Date(settlementDate.getTime() + (5 + (fate % 15)) * day + 9 * hour)
  return { status: 'Settled', settlementDate, nextAt: fate >= chargedBackFrom ? disputedAt : null }
}

/** Payments per transaction. */
const batch = 200

/** Writes the event of each payment as it now is. */
export async function recordPaymentEvents(db: Database, rows: readonly PaymentRow[], at: Date): Promise<void> {
  for (const merchantId of new Set(rows.map((row) => row.merchantId))) {
    const data = await viewPayments(
      db,
      merchantId,
      rows.filter((row) => row.merchantId === merchantId),
    )
    await recordEvents(
      db,
      data.map((payment) => ({
        merchantId,
        objectType: 'payment' as const,
        eventType: payment.status.toLowerCase(),
        at,
        data: payment,
      })),
    )
  }
}

/** Cancels the payments whose accepted cancellation is due and was due before they are handed over. Answers how many. */
export async function cancelDuePayments(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const inTime = or(isNull(payments.nextAt), lte(payments.cancelAt, payments.nextAt))
    const due = await tx
      .select({ id: payments.id })
      .from(payments)
      .where(and(lte(payments.cancelAt, now), eq(payments.status, 'Pending'), inTime))
      .orderBy(asc(payments.cancelAt))
      .limit(batch)
      .for('update', { skipLocked: true })
    if (due.length === 0) return 0
    const cancelled = await tx
      .update(payments)
      .set({ status: 'Cancelled', cancelAt: null, nextAt: null, modifiedAt: now })
      .where(
        inArray(
          payments.id,
          due.map(({ id }) => id),
        ),
      )
      .returning(paymentColumns)
    await recordPaymentEvents(tx, cancelled, now)
    return cancelled.length
  })
}

/** Takes the next step of the payments for which one is due; a cancellation that comes too late lapses. Answers how many. */
export async function advanceDuePayments(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const notCancelled = or(isNull(payments.cancelAt), gt(payments.cancelAt, payments.nextAt))
    const due = await tx
      .select(paymentColumns)
      .from(payments)
      .where(and(isNotNull(payments.nextAt), lte(payments.nextAt, now), notCancelled))
      .orderBy(asc(payments.nextAt))
      .limit(batch)
      .for('update', { skipLocked: true })
    const moved: PaymentRow[] = []
    for (const payment of due) {
      const step = nextStep(payment)
      const change = step
        ? { ...step, ...(step.settlementDate ? { settlementSort: step.settlementDate } : {}), modifiedAt: now }
        : { nextAt: null }
      const [row] = await tx
        .update(payments)
        .set({ ...change, cancelAt: null })
        .where(eq(payments.id, payment.id))
        .returning(paymentColumns)
      if (row && step) moved.push(row)
    }
    await recordPaymentEvents(tx, moved, now)
    return due.length
  })
}
