import type { Payment } from '@/lib/api-contract/payments'
import { dayInZone, parseBusinessDay, parseShownTimestamp } from './dates/date'

/**
 * A step of a payment. `value` is a date-time: a business day, or for `timestamp` a moment, for `change` that of the
 * payment's last change, which may be a later one than the step.
 */
export type Milestone = {
  step: 'created' | 'handOver' | 'debited' | 'settled' | 'rejected' | 'returned' | 'cancelled'
  value: string | null
  kind: 'day' | 'timestamp' | 'change'
  isAhead: boolean
  /** Whether it does not happen any more, as the payment was cancelled. */
  isDropped?: true
}

/** What a payment's main date means to the payer; `day` such as `2026-12-01`. */
export type Headline =
  | { kind: 'cancelled' | 'returned' }
  | { kind: 'collected' | 'rejected' | 'ahead' | 'overdue'; day: string }

/** How a payment ended, or that it has not; `sent` when it can't be cancelled any more. */
export type PaymentEnding = 'cancelled' | 'settled' | 'rejected' | 'returned' | 'sent' | 'open'

type StoryContext = {
  /** States in lower case. */
  states: { cancellable: readonly string[]; cancelled: readonly string[] }
  zone: string
  /** Today in the zone, such as `2026-11-27`. */
  today: string
}

/** The names "settled", "rejected" and "chargeback" come from decision 0002. */
export function findEnding(
  { status }: Pick<Payment, 'status'>,
  { states }: Pick<StoryContext, 'states'>,
): PaymentEnding {
  const state = status?.trim().toLowerCase() ?? ''
  if (states.cancelled.includes(state)) return 'cancelled'
  if (state === 'settled' || state === 'rejected') return state
  if (state === 'chargeback') return 'returned'
  return state === '' || states.cancellable.includes(state) ? 'open' : 'sent'
}

/**
 * The steps of a payment in order. Its end has no date of its own in the record: it is `cancelledAt`, when the desk had its
 * cancellation confirmed, or the payment's last change.
 */
export function listMilestones(
  payment: Payment,
  { cancelledAt = null, ...context }: StoryContext & { cancelledAt?: string | null },
): Milestone[] {
  const ending = findEnding(payment, context)
  const isAhead = (value: string | null) => (parseBusinessDay(value, context.zone) ?? '') > context.today
  const day = (step: Milestone['step'], value: string | null): Milestone => ({
    step,
    value,
    kind: 'day',
    isAhead: isAhead(value),
  })
  const moment = (step: Milestone['step'], value: string | null, kind: Milestone['kind'] = 'timestamp'): Milestone => ({
    step,
    value,
    kind,
    isAhead: false,
  })
  const created = moment('created', payment.createdAt)
  // A provider whose last change is no later than the creation doesn't count its own changes.
  const isCounted = !(parseShownTimestamp(payment.modifiedAt) <= parseShownTimestamp(payment.createdAt))
  const end = (step: Milestone['step']) => moment(step, isCounted ? payment.modifiedAt : null, 'change')
  if (ending === 'cancelled')
    return [
      created,
      { ...day('debited', payment.paymentDate), isDropped: true },
      cancelledAt === null ? end('cancelled') : moment('cancelled', cancelledAt),
    ]
  const steps = [created, day('handOver', payment.scheduleDate), day('debited', payment.paymentDate)]
  if (ending === 'rejected') return [created, day('handOver', payment.scheduleDate), end('rejected')]
  const isSettled = parseBusinessDay(payment.settlementDate, context.zone) !== null
  if (ending === 'returned' && !isSettled) return [...steps, end('returned')]
  const settled = day('settled', payment.settlementDate)
  if (ending === 'returned') return [...steps, settled, end('returned')]
  return ending === 'settled' || isSettled ? [...steps, settled] : steps
}

/** What to say of a payment in one line; null when it has no date. */
export function findHeadline(payment: Payment, context: StoryContext): Headline | null {
  const ending = findEnding(payment, context)
  if (ending === 'cancelled' || ending === 'returned') return { kind: ending }
  const day =
    parseBusinessDay(payment.paymentDate, context.zone) ?? parseBusinessDay(payment.scheduleDate, context.zone)
  if (day === null) return null
  if (ending === 'settled') return { kind: 'collected', day }
  if (ending === 'rejected') return { kind: 'rejected', day }
  return { kind: day < context.today ? 'overdue' : 'ahead', day }
}

/**
 * Puts what happened (`at`: ISO 8601) between the steps, oldest first. A step that has only a day comes before what
 * happened on that day; a dropped or dateless one stays where it is among the steps.
 */
export function mergeStory<Happening extends { at: string }>(
  milestones: readonly Milestone[],
  happenings: readonly Happening[],
  zone: string,
): (Milestone | Happening)[] {
  const rest = happenings.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const isBefore = ({ at }: Happening, { value, kind }: Milestone) =>
    kind === 'day'
      ? dayInZone(Date.parse(at), zone) < (parseBusinessDay(value, zone) ?? '')
      : Date.parse(at) < parseShownTimestamp(value)
  return [
    ...milestones.flatMap((milestone) => {
      const end = milestone.isDropped ? 0 : rest.findIndex((happening) => !isBefore(happening, milestone))
      return [...rest.splice(0, end === -1 ? rest.length : end), milestone]
    }),
    ...rest,
  ]
}
