import { randomUUID } from 'node:crypto'
import { and, asc, desc, eq, isNotNull, lte } from 'drizzle-orm'
import { calendarOf } from '@/lib/api-contract/business-days'
import type { Database } from '@/lib/database/database'
import { toAgreementEvent } from '../agreements/agreements'
import { mandateColumns, viewMandates } from '../mandates/mandates'
import { describePayment, unsettledSortDate, paymentColumns, viewPayments } from '../payments/payment'
import { foldText } from '@/lib/api-contract/fold-text'
import { grams } from '../query/text-search'
import { newHandle } from '../store/handles'
import { agreements, mandates, payments } from '../store/schema'
import { recordEvents } from '../webhooks/events'
import { addBusinessDays, handOverAt } from './payment-lifecycle'

const BATCH_SIZE = 200

/**
 * A mandate expires 36 months after its latest payment was made, whatever became of that, or after its registration
 * (SEPA rulebook; applied to all schemes here).
 */
export function expiryOf(lastUsed: Date): Date {
  return addMonths(lastUsed, 36)
}

/** From a mandate's registration to its first payment. */
const FIRST_BILL_DELAY_MS = 86_400_000

/** Activates the agreements that are due. Returns how many. */
export async function activateDueAgreements(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const active = await tx
      .update(agreements)
      .set({ status: 'Active', nextAt: null, modifiedAt: now })
      .where(and(isNotNull(agreements.nextAt), lte(agreements.nextAt, now)))
      .returning()
    await recordEvents(
      tx,
      active.map((row) => ({
        merchantId: row.merchantId,
        objectType: 'agreement' as const,
        eventType: 'active',
        at: now,
        data: toAgreementEvent(row),
      })),
    )
    return active.length
  })
}

async function findLatestPayment(db: Database, mandateId: string): Promise<Date | undefined> {
  const [last] = await db
    .select({ at: payments.createdAt })
    .from(payments)
    .where(eq(payments.mandateId, mandateId))
    .orderBy(desc(payments.createdAt))
    .limit(1)
  return last?.at
}

/** Registers due mandates (Created → Active) and expires those whose 36 months are over (Active → Expired). Returns how many were due. */
export async function advanceDueMandates(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: mandates.id, merchantId: mandates.merchantId, status: mandates.status })
      .from(mandates)
      .where(and(isNotNull(mandates.nextAt), lte(mandates.nextAt, now)))
      .orderBy(asc(mandates.nextAt))
      .limit(BATCH_SIZE)
      .for('update', { skipLocked: true })
    for (const { id, merchantId, status } of due) {
      const lastUsed = status === 'Active' ? await findLatestPayment(tx, id) : undefined
      const nextAt = expiryOf(lastUsed ?? now)
      const registered = {
        status: 'Active',
        nextAt,
        billAt: new Date(now.getTime() + FIRST_BILL_DELAY_MS),
        modifiedAt: now,
      }
      const expired = { status: 'Expired', nextAt: null, billAt: null, modifiedAt: now }
      const change =
        status === 'Created'
          ? registered
          : status !== 'Active'
            ? { nextAt: null }
            : lastUsed && nextAt > now
              ? { nextAt }
              : expired
      const [row] = await tx.update(mandates).set(change).where(eq(mandates.id, id)).returning(mandateColumns)
      if (!row || !('status' in change)) continue
      const [data] = await viewMandates(tx, merchantId, [row])
      const eventType = change.status === 'Active' ? 'registration' : 'expired'
      await recordEvents(tx, [{ merchantId, objectType: 'mandate', eventType, at: now, data }])
    }
    return due.length
  })
}

const BILLING_BATCH_SIZE = 100
const DAY_MS = 86_400_000

type Mandate = typeof mandates.$inferSelect

/** The same day that many months later, or the last day of that month if it is shorter. */
function addMonths(date: Date, months: number): Date {
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate()
  const moved = new Date(date)
  moved.setUTCMonth(date.getUTCMonth() + months, Math.min(date.getUTCDate(), last))
  return moved
}

/** Creates a payment like the mandate's last one, due in twenty days or on the next business day after. */
async function createDuePayment(db: Database, mandate: Mandate, now: Date): Promise<void> {
  const { merchantId, customerId, scheme, handle: mandateHandle, customerSearch } = mandate
  const [previous] = await db
    .select(paymentColumns)
    .from(payments)
    .where(eq(payments.mandateId, mandate.id))
    .orderBy(desc(payments.createdAt))
    .limit(1)
  const [agreement] = mandate.agreementId
    ? await db.select({ test: agreements.test }).from(agreements).where(eq(agreements.id, mandate.agreementId))
    : []
  const scheduleDate = addBusinessDays(new Date(now.getTime() + 20 * DAY_MS), 0, calendarOf(scheme))
  const paymentDate = addBusinessDays(scheduleDate, 1, calendarOf(scheme))
  const description = describePayment(previous?.description.split(',')[0] ?? 'Subscription', paymentDate)
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
      descriptionSearch: foldText(description),
      reference,
      referenceSearch: foldText(reference),
      amount: previous?.amount ?? 19_900,
      currency: previous?.currency ?? (scheme.startsWith('sepa') ? 'EUR' : 'DKK'),
      test: agreement?.test ?? previous?.test ?? false,
      status: 'Pending',
      scheduleDate,
      paymentDate,
      settlementSort: unsettledSortDate,
      createdAt: now,
      modifiedAt: now,
      scheme,
      mandateHandle,
      customerSearch,
      grams: grams(customerSearch, reference, description),
      nextAt: handOverAt(scheduleDate),
    })
    .returning(paymentColumns)
  if (!row) throw new Error('The payment was not stored')
  const [data] = await viewPayments(db, merchantId, [row])
  await recordEvents(db, [{ merchantId, objectType: 'payment', eventType: 'created', at: now, data }])
}

/** Simulates the merchant's data source: creates a monthly payment on each active mandate. Returns how many were due. */
export async function billDueMandates(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(mandates)
      .where(and(isNotNull(mandates.billAt), lte(mandates.billAt, now)))
      .orderBy(asc(mandates.billAt))
      .limit(BILLING_BATCH_SIZE)
      .for('update', { skipLocked: true })
    for (const mandate of due) {
      const active = mandate.status === 'Active'
      if (active) await createDuePayment(tx, mandate, now)
      await tx
        .update(mandates)
        .set({ billAt: active ? addMonths(mandate.billAt ?? now, 1) : null })
        .where(eq(mandates.id, mandate.id))
    }
    return due.length
  })
}
