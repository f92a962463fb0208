import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { newHandle } from '../new-handle'
import { describePayment, notSettled } from '../payments/payment-states'
import { paymentColumns, viewPayments } from '../payments/payment-view'
import { fold, grams } from '../query/fold'
import { mandates, payments } from '../store/schema'
import { calendarOf } from '@/lib/contract/business-days'
import { addBusinessDays } from './business-days'
import { handOverAt } from './payment-step'
import { recordEvents } from './record-events'

const batch = 100
const day = 86_400_000

type Mandate = typeof mandates.$inferSelect

/** The same day next month, or that month's last. */
export function addMonth(date: Date): Date {
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 0)).getUTCDate()
  const moved = new Date(date)
  moved.setUTCMonth(date.getUTCMonth() + 1, Math.min(date.getUTCDate(), last))
  return moved
}

/** Brings one payment: that of the month before again, twenty days ahead and moved to the next possible day. */
async function bring(db: Database, mandate: Mandate, now: Date): Promise<void> {
  const { merchantId, customerId, scheme, handle: mandateHandle, customerSearch } = mandate
  const [before] = await db
    .select(paymentColumns)
    .from(payments)
    .where(eq(payments.mandateId, mandate.id))
    .orderBy(desc(payments.createdAt))
    .limit(1)
  const scheduleDate = addBusinessDays(new Date(now.getTime() + 20 * day), 0, calendarOf(scheme))
  const paymentDate = addBusinessDays(scheduleDate, 1, calendarOf(scheme))
  const description = describePayment(before?.description.split(',')[0] ?? 'Subscription', paymentDate)
  const reference = `INV-${scheduleDate.getUTCFullYear()}-${randomUUID().slice(0, 8).toUpperCase()}`
  const [row] = await db
    .insert(payments)
    .values({
      id: randomUUID(),
      merchantId,
      customerId,
      mandateId: mandate.id,
      handle: newHandle('pm'),
      description,
      descriptionSearch: fold(description),
      reference,
      referenceSearch: fold(reference),
      amount: before?.amount ?? 19_900,
      currency: before?.currency ?? (scheme.startsWith('sepa') ? 'EUR' : 'DKK'),
      test: before?.test ?? false,
      status: 'Pending',
      scheduleDate,
      paymentDate,
      settlementSort: notSettled,
      createdAt: now,
      modifiedAt: now,
      scheme,
      mandateHandle,
      customerSearch,
      grams: grams(customerSearch, fold(reference)),
      nextAt: handOverAt(scheduleDate),
    })
    .returning(paymentColumns)
  if (!row) throw new Error('The payment was not stored')
  const [data] = await viewPayments(db, merchantId, [row])
  await recordEvents(db, [{ merchantId, objectType: 'payment', eventType: 'created', at: now, data }])
}

/** The merchant's data source: brings a payment a month on each active mandate, when it is due. Answers how many. */
export async function billDueMandates(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(mandates)
      .where(and(isNotNull(mandates.billAt), lte(mandates.billAt, now)))
      .orderBy(asc(mandates.billAt))
      .limit(batch)
      .for('update', { skipLocked: true })
    for (const mandate of due) {
      const active = mandate.status === 'Active'
      if (active) await bring(tx, mandate, now)
      await tx
        .update(mandates)
        .set({ billAt: active ? addMonth(mandate.billAt ?? now) : null })
        .where(eq(mandates.id, mandate.id))
    }
    return due.length
  })
}
