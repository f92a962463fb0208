import type { PaymentState } from '../payments/payment-states'
import { calendarOf } from '@/lib/contract/business-days'
import { addBusinessDays } from './business-days'

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
export function stepOf(payment: LivingPayment): PaymentStep | null {
  const fate = fateOf(payment.id)
  if (payment.status === 'Pending') return { status: 'Scheduled', nextAt: answerAt(payment) }
  if (payment.status === 'Settled') return { status: 'Chargeback', nextAt: null }
  if (payment.status !== 'Scheduled') return null
  if (fate < rejectedBelow) return { status: 'Rejected', nextAt: null }
  const settlementDate = addBusinessDays(payment.paymentDate, 1, calendarOf(payment.scheme))
  const disputedAt = new Date(settlementDate.getTime() + (5 + (fate % 15)) * day + 9 * hour)
  return { status: 'Settled', settlementDate, nextAt: fate >= chargedBackFrom ? disputedAt : null }
}
