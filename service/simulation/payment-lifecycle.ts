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

/** The day `count` business days after a date (before, if negative); 0 moves to the next business day. All midnights UTC. */
export function addBusinessDays(date: Date, count: number, calendar: BankCalendar): Date {
  const day = date.toISOString().slice(0, 10)
  return new Date(count < 0 ? subtractBusinessDays(day, -count, calendar) : addToDay(day, count, calendar))
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Of a thousand payments the first 40 are rejected and the last 15 are settled and then charged back. */
const REJECTED_BELOW = 40
const CHARGED_BACK_FROM = 985

export type SimulatedPayment = {
  id: string
  scheme: string
  status: string
  scheduleDate: Date
  paymentDate: Date
  settlementDate: Date | null
}

export type PaymentStep = { status: PaymentState; settlementDate?: Date; nextAt: Date | null }

/** A number from 0 to 999 that decides a payment's outcome. Derived from its random id, so that it never changes. */
function drawOutcome(id: string): number {
  return Number.parseInt(id.slice(-8), 16) % 1_000
}

/** When a Pending payment is handed to its scheme, and can no longer be cancelled: 11:00 UTC on its schedule date. */
export function handOverAt(scheduleDate: Date): Date {
  return new Date(scheduleDate.getTime() + 11 * HOUR_MS)
}

/** When the scheme reports the result of a Scheduled payment. */
export function schemeReplyAt({
  id,
  scheme,
  paymentDate,
}: Pick<SimulatedPayment, 'id' | 'scheme' | 'paymentDate'>): Date {
  if (drawOutcome(id) < REJECTED_BELOW) return new Date(paymentDate.getTime() + 14 * HOUR_MS)
  return new Date(addBusinessDays(paymentDate, 1, calendarOf(scheme)).getTime() + 6 * HOUR_MS)
}

/** A payment's next step by its state and drawn outcome; null for final states. */
export function nextStep(payment: SimulatedPayment): PaymentStep | null {
  const draw = drawOutcome(payment.id)
  if (payment.status === 'Pending') return { status: 'Scheduled', nextAt: schemeReplyAt(payment) }
  if (payment.status === 'Settled') return { status: 'Chargeback', nextAt: null }
  if (payment.status !== 'Scheduled') return null
  if (draw < REJECTED_BELOW) return { status: 'Rejected', nextAt: null }
  const settlementDate = addBusinessDays(payment.paymentDate, 1, calendarOf(payment.scheme))
  const disputedAt = new Date(settlementDate.getTime() + (5 + (draw % 15)) * DAY_MS + 9 * HOUR_MS)
  return { status: 'Settled', settlementDate, nextAt: draw >= CHARGED_BACK_FROM ? disputedAt : null }
}

/** Payments per transaction. */
const BATCH_SIZE = 200

/** Records an event for each payment's current state. */
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

/** Cancels the payments whose accepted cancellation is due before they are handed over. Returns how many. */
export async function cancelDuePayments(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const inTime = or(isNull(payments.nextAt), lte(payments.cancelAt, payments.nextAt))
    const due = await tx
      .select({ id: payments.id })
      .from(payments)
      .where(and(lte(payments.cancelAt, now), eq(payments.status, 'Pending'), inTime))
      .orderBy(asc(payments.cancelAt))
      .limit(BATCH_SIZE)
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

/** Takes the next step of due payments; a cancellation that is too late lapses. Returns how many. */
export async function advanceDuePayments(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const notCancelled = or(isNull(payments.cancelAt), gt(payments.cancelAt, payments.nextAt))
    const due = await tx
      .select(paymentColumns)
      .from(payments)
      .where(and(isNotNull(payments.nextAt), lte(payments.nextAt, now), notCancelled))
      .orderBy(asc(payments.nextAt))
      .limit(BATCH_SIZE)
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
