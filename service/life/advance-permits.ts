import { and, asc, desc, eq, gte, isNotNull, lte } from 'drizzle-orm'
import type { Database } from '@/lib/database/open-database'
import { tellAgreement } from '../agreements/agreement-view'
import { mandateColumns, viewMandates } from '../mandates/mandate-view'
import { agreements, mandates, payments } from '../store/schema'
import { recordEvents } from './record-events'

const batch = 200

/** A mandate on which nothing was collected for 36 months lapses (SEPA rule book; kept for all schemes here). */
export const mandateLifetime = 36 * 30 * 86_400_000

/** From its registration until a mandate's first payment is brought, in milliseconds. */
const firstBill = 86_400_000

/** Makes agreements Active that the scheme has taken up by now. Answers how many. */
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
        data: tellAgreement(row),
      })),
    )
    return active.length
  })
}

async function lastCollection(db: Database, mandateId: string, since: Date): Promise<Date | undefined> {
  const [last] = await db
    .select({ at: payments.createdAt })
    .from(payments)
    .where(and(eq(payments.mandateId, mandateId), gte(payments.createdAt, since)))
    .orderBy(desc(payments.createdAt))
    .limit(1)
  return last?.at
}

/** Registers mandates that are due (Created → Active) and lapses those unused for 36 months (Active → Expired). Answers how many were due. */
export async function advanceDueMandates(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: mandates.id, merchantId: mandates.merchantId, status: mandates.status })
      .from(mandates)
      .where(and(isNotNull(mandates.nextAt), lte(mandates.nextAt, now)))
      .orderBy(asc(mandates.nextAt))
      .limit(batch)
      .for('update', { skipLocked: true })
    for (const { id, merchantId, status } of due) {
      const used =
        status === 'Active' ? await lastCollection(tx, id, new Date(now.getTime() - mandateLifetime)) : undefined
      const nextAt = new Date((used ?? now).getTime() + mandateLifetime)
      const registered = { status: 'Active', nextAt, billAt: new Date(now.getTime() + firstBill), modifiedAt: now }
      const lapsed = { status: 'Expired', nextAt: null, billAt: null, modifiedAt: now }
      const change =
        status === 'Created' ? registered : status !== 'Active' ? { nextAt: null } : used ? { nextAt } : lapsed
      const [row] = await tx.update(mandates).set(change).where(eq(mandates.id, id)).returning(mandateColumns)
      if (!row || !('status' in change)) continue
      const [data] = await viewMandates(tx, merchantId, [row])
      const eventType = change.status === 'Active' ? 'registration' : 'expired'
      await recordEvents(tx, [{ merchantId, objectType: 'mandate', eventType, at: now, data }])
    }
    return due.length
  })
}
