import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { type PaymentRow, paymentColumns, viewPayments } from '../payments/payment-view'
import { payments } from '../store/schema'
import { stepOf } from './payment-step'
import { recordEvents } from './record-events'

/** Payments per transaction. */
const batch = 200

/** Writes the event of each payment as it now is. */
export async function tellPayments(db: Database, rows: readonly PaymentRow[], at: Date): Promise<void> {
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
    await tellPayments(tx, cancelled, now)
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
      const step = stepOf(payment)
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
    await tellPayments(tx, moved, now)
    return due.length
  })
}
