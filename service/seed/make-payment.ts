import { newHandle } from '../store/handles'
import { describePayment, unsettledSortDate, type PaymentState } from '../payments/payment'
import { type BankCalendar, calendarOf } from '@/lib/api-contract/business-days'
import { addBusinessDays, schemeReplyAt, handOverAt } from '../simulation/payment-lifecycle'
import { foldText } from '@/lib/api-contract/fold-text'
import { grams } from '../query/text-search'
import type { payments } from '../store/schema'
import type { SeedMandate } from './make-customers'
import { products } from './names'
import type { Random } from './random'

type SeedPayment = typeof payments.$inferInsert

const DAY_MS = 86_400_000

/** The state and dates of a payment relative to today: past, with the scheme, or upcoming. */
function makeDates(
  random: Random,
  today: Date,
  calendar: BankCalendar,
): { state: PaymentState; scheduleDate: Date; paymentDate: Date } {
  const phase = random.weigh([
    ['past', 62],
    ['now', 6],
    ['coming', 32],
  ])
  if (phase === 'past') {
    const scheduleDate = addBusinessDays(new Date(today.getTime() - (10 + random.below(390)) * DAY_MS), 0, calendar)
    const state = random.weigh<PaymentState>([
      ['Settled', 86],
      ['Rejected', 6],
      ['Chargeback', 3],
      ['Cancelled', 5],
    ])
    return { state, scheduleDate, paymentDate: addBusinessDays(scheduleDate, 1 + random.below(3), calendar) }
  }
  if (phase === 'now') {
    const scheduleDate = addBusinessDays(new Date(today.getTime() - random.below(2) * DAY_MS), -1, calendar)
    return { state: 'Scheduled', scheduleDate, paymentDate: addBusinessDays(today, 1 + random.below(3), calendar) }
  }
  const scheduleDate = addBusinessDays(new Date(today.getTime() + (1 + random.below(75)) * DAY_MS), 1, calendar)
  return {
    state: random.chance(0.95) ? 'Pending' : 'Cancelled',
    scheduleDate,
    paymentDate: addBusinessDays(scheduleDate, 1 + random.below(3), calendar),
  }
}

function makeMoney(random: Random, country: string): { amount: number; currency: string } {
  const local: Record<string, string> = { DK: 'DKK', SE: 'SEK', NO: 'NOK' }
  const currency = random.chance(0.015) ? random.pick(['JPY', 'KWD']) : (local[country] ?? 'EUR')
  const minor = random.chance(0.5) ? 100 * (49 + random.below(950)) : 4_900 + random.below(480_000)
  const scale: Record<string, number> = { EUR: 0.134, JPY: 0.2, KWD: 0.45 }
  return { amount: Math.max(1, Math.round(minor * (scale[currency] ?? 1))), currency }
}

/** When it was last modified, according to its state and not later than today. */
function makeModification(random: Random, state: PaymentState, createdAt: Date, paymentDate: Date, today: Date): Date {
  const touched: Record<PaymentState, number> = {
    Pending: createdAt.getTime(),
    Scheduled: today.getTime() - random.below(DAY_MS),
    Settled: paymentDate.getTime() + DAY_MS + random.below(DAY_MS / 2),
    Rejected: paymentDate.getTime() + random.below(DAY_MS),
    Chargeback: paymentDate.getTime() + (3 + random.below(20)) * DAY_MS + random.below(DAY_MS),
    Cancelled: createdAt.getTime() + random.below(4 * DAY_MS),
  }
  return new Date(Math.max(createdAt.getTime(), Math.min(touched[state], today.getTime())))
}

/** Generates a payment on a mandate. `today` is midnight UTC; business dates are midnight UTC on business days. */
export function makePayment(random: Random, mandate: SeedMandate, index: number, today: Date): SeedPayment {
  const calendar = calendarOf(mandate.scheme)
  const dates = makeDates(random, today, calendar)
  // Nothing is collected on a mandate that is not Active.
  const state = dates.state === 'Pending' && mandate.status !== 'Active' ? 'Cancelled' : dates.state
  const lead = (3 + random.below(25)) * DAY_MS
  const createdAt = new Date(Math.min(dates.scheduleDate.getTime() - lead, today.getTime()) - random.below(DAY_MS))
  const modifiedAt = makeModification(random, state, createdAt, dates.paymentDate, today)
  const settled = state === 'Settled' || state === 'Chargeback'
  const settlementDate = settled ? addBusinessDays(dates.paymentDate, 1, calendar) : null
  const reference = `INV-${dates.scheduleDate.getUTCFullYear()}-${String(10_001 + index).padStart(6, '0')}`
  const description = describePayment(random.pick(products), dates.paymentDate)
  const id = random.uuid()
  const dueAt: Partial<Record<PaymentState, Date>> = {
    Pending: handOverAt(dates.scheduleDate),
    Scheduled: schemeReplyAt({ id, scheme: mandate.scheme, paymentDate: dates.paymentDate }),
  }
  return {
    id,
    merchantId: mandate.merchantId,
    customerId: mandate.customerId,
    mandateId: mandate.id,
    handle: newHandle('pm', random.below),
    description,
    descriptionSearch: foldText(description),
    reference,
    referenceSearch: foldText(reference),
    ...makeMoney(random, mandate.country),
    test: mandate.test,
    status: state,
    scheduleDate: dates.scheduleDate,
    paymentDate: dates.paymentDate,
    settlementDate,
    settlementSort: settlementDate ?? unsettledSortDate,
    createdAt,
    modifiedAt,
    scheme: mandate.scheme,
    mandateHandle: mandate.handle,
    customerSearch: mandate.customerSearch,
    grams: grams(mandate.customerSearch, reference, description),
    nextAt: dueAt[state] ?? null,
  }
}
