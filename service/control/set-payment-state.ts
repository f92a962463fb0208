import { eq } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { Problem } from '../http/problem'
import { calendarOf } from '@/lib/contract/business-days'
import { addBusinessDays } from '../life/business-days'
import { tellPayments } from '../life/advance-payments'
import type { PaymentState } from '../payments/payment-states'
import { paymentColumns } from '../payments/payment-view'
import { payments } from '../store/schema'

/** From which states a state can be reached by hand. */
const origins: Record<PaymentState, readonly PaymentState[]> = {
  Pending: [],
  Scheduled: ['Pending'],
  Settled: ['Pending', 'Scheduled'],
  Rejected: ['Pending', 'Scheduled'],
  Chargeback: ['Settled'],
  Cancelled: ['Pending'],
}

/**
 * Moves a payment to a state as if its scheme had said so, with its event. An accepted cancellation lapses.
 * Throws Problem `not-found`, or `not-pending` when its state does not lead there.
 */
export async function setPaymentState(db: Database, id: string, status: PaymentState, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select(paymentColumns).from(payments).where(eq(payments.id, id)).for('update')
    if (!before) throw new Problem('not-found', 'There is no such payment.')
    if (!origins[status].some((origin) => origin === before.status)) {
      throw new Problem('not-pending', `A payment that is ${before.status} does not become ${status}.`)
    }
    const settlementDate =
      status === 'Settled' ? addBusinessDays(now, 1, calendarOf(before.scheme)) : before.settlementDate
    const rows = await tx
      .update(payments)
      .set({
        status,
        settlementDate,
        settlementSort: settlementDate ?? before.settlementSort,
        nextAt: null,
        cancelAt: null,
        modifiedAt: now,
      })
      .where(eq(payments.id, id))
      .returning(paymentColumns)
    await tellPayments(tx, rows, now)
  })
}
