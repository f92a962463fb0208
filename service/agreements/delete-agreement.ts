import { and, eq, inArray } from 'drizzle-orm'
import type { Handler } from '../handler'
import { Problem } from '../http/problem'
import { recordEvents } from '../life/record-events'
import { mandateColumns, viewMandates } from '../mandates/mandate-view'
import { openStates } from '../payments/payment-states'
import { agreements, mandates, payments } from '../store/schema'
import { findAgreement } from './agreement-view'

/** DELETE /Merchants/agreements/{agreementId}: 204. Payments still to be collected through it answer 409. */
export const deleteAgreement: Handler<'deleteAgreement'> = async ({ db, caller, params, now }) => {
  const { id } = await findAgreement(db, caller.merchantId, params.agreementId)
  const own = and(eq(mandates.merchantId, caller.merchantId), eq(mandates.agreementId, id))
  // From here on no payment is brought on them that would not be seen below.
  await db.select({ id: mandates.id }).from(mandates).where(own).for('update')
  const open = await db
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(mandates, eq(mandates.id, payments.mandateId))
    .where(and(own, inArray(payments.status, [...openStates])))
    .limit(1)
  if (open.length > 0) throw new Problem('open-payments', 'The agreement has payments that are still to be collected.')
  const ended = await db
    .update(mandates)
    .set({ agreementId: null, status: 'Cancelled', nextAt: null, billAt: null, modifiedAt: now })
    .where(and(own, inArray(mandates.status, ['Created', 'Active'])))
    .returning(mandateColumns)
  await db.update(mandates).set({ agreementId: null }).where(own)
  const views = await viewMandates(db, caller.merchantId, ended)
  await recordEvents(
    db,
    views.map((data) => ({
      merchantId: caller.merchantId,
      objectType: 'mandate' as const,
      eventType: 'cancel',
      at: now,
      data,
    })),
  )
  await db.delete(agreements).where(and(eq(agreements.merchantId, caller.merchantId), eq(agreements.id, id)))
  return { status: 204, outcome: 'deleted' }
}
