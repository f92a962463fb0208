import { and, eq, isNull } from 'drizzle-orm'
import type { Handler } from '../http/handler'
import { Problem } from '../http/problem'
import { byIdOrHandle, preferId } from '../store/handles'
import { payments } from '../store/schema'

/**
 * DELETE /Payments/{paymentId}: 202, and the payment becomes Cancelled later (payment-lifecycle.ts). An accepted
 * cancellation is in the database and survives a restart. A payment that is not Pending answers 409; repeating the
 * request while a cancellation is pending is accepted and has no effect.
 */
export const cancelPayment: Handler<'cancelPayment'> = async ({ db, caller, params, body, now, settings }) => {
  const found = await db
    .select({ id: payments.id, status: payments.status })
    .from(payments)
    .where(byIdOrHandle(payments, caller.merchantId, params.paymentId))
    .limit(2)
  const payment = preferId(found, params.paymentId)
  if (!payment) throw new Problem('not-found', 'There is no such payment.')
  const pending = and(
    eq(payments.merchantId, caller.merchantId),
    eq(payments.id, payment.id),
    eq(payments.status, 'Pending'),
  )
  const accepted = await db
    .update(payments)
    .set({ cancelAt: new Date(now.getTime() + settings.cancelDelay), cancelText: body.text })
    .where(and(pending, isNull(payments.cancelAt)))
    .returning({ id: payments.id })
  if (accepted.length > 0) return { status: 202, outcome: 'accepted' }
  const [current] = await db
    .select({ status: payments.status })
    .from(payments)
    .where(eq(payments.id, payment.id))
    .limit(1)
  if (current?.status === 'Pending') return { status: 202, outcome: 'accepted-again' }
  throw new Problem('not-pending', `The payment is ${current?.status ?? 'gone'} and cannot be cancelled.`)
}
