import type { Payment } from '@/lib/api-contract/payments'
import type { OutcomeReason } from '@/lib/domain/cancellations/cancellation'
import { estimateCutOff } from '@/lib/domain/cancellations/cut-off'
import { parseTimestamp } from '@/lib/domain/dates/date'
import { isDocumentedState } from '@/lib/domain/states'
import { appendActivity } from '../activity-log/append'
import { toPlainText } from '../http/untrusted-text'
import { cancellations } from '../store/schema'
import { changeState, describeChange } from './change-state'
import { findDifference, toPaymentDates, toReadEvidence, toSeenPayment } from './guard'
import { isUnchanged, postpone, runIsolated } from './leases'
import { type CancellationRow, classifyState, elapsed, type Ledger, type LedgerRules, normalizeState } from './ledger'
import { isLasting, measureHold, type Reading } from './payment-pages'
import { readPayment } from './read-payment'
import { sendCancellation } from './send'
import { isFormError, isRefusedAccess } from './send-outcome'
import type { PaymentDates, ReadEvidence } from './states'

/** What a reading means for its cancellation. */
export type Decision =
  | {
      kind: 'close'
      state: 'cancelled' | 'not-cancelled' | 'needs-person'
      outcomeReason: OutcomeReason | null
      detail: string | null
    }
  | { kind: 'send-again'; payment: Payment }
  /** `delay` in ms until the next read. */
  | { kind: 'read-again'; lastRead: string; agreeingReads: number; delay: number }

type ReadingContext = {
  row: CancellationRow
  rules: LedgerRules
  now: Date
  /** Milliseconds in the current state. */
  age: number
  lastRead: string
  agreeingReads: number
}

const DAY_MS = 24 * 3_600_000
/** Payment dates from here on mean that there is none: the year 9999, in whatever zone. */
const END_OF_DATES = Date.UTC(9998, 11, 31)
const MAX_DELAY_MS = { accepted: 15 * 60_000, open: 15_000 }

/** Condenses a reading to a key; equal keys mean that two readings agree. */
function toReadingKey(reading: Reading, rules: LedgerRules): string {
  if (reading.kind !== 'found') return reading.kind
  const { status } = reading.payment
  return `${classifyState(status, rules)}: ${normalizeState(toPlainText(status))}`
}

/** Whether a reading without effect counts: before the grace ends, the effect may only be late. */
function isConclusive({ row, rules, age }: Omit<ReadingContext, 'lastRead' | 'agreeingReads'>): boolean {
  return age >= rules.graceMs || (row.state === 'declined' && isFormError(row.evidence.reply))
}

function readAgain({ row, rules, now, age, lastRead, agreeingReads }: ReadingContext): Decision {
  // A failed read says nothing about the payment, so it is retried at the short interval, unless that goes on for long.
  const isLong = !isFirstMiss(row) && elapsed(row.lastFoundAt, now) > rules.reviewAfterMs
  const mayWait = row.state === 'accepted' && (lastRead !== 'unreadable' || isLong)
  const maxDelay = mayWait ? MAX_DELAY_MS.accepted : MAX_DELAY_MS.open
  // A reading that needs a second to confirm it gets it soon; otherwise the interval grows with age.
  const awaitsConfirmation = agreeingReads === 1 && (row.state !== 'accepted' || lastRead.startsWith('final'))
  const delay = awaitsConfirmation ? rules.pollIntervalMs : Math.min(Math.max(age / 4, rules.pollIntervalMs), maxDelay)
  return { kind: 'read-again', lastRead, agreeingReads, delay }
}

function close(
  state: 'cancelled' | 'not-cancelled' | 'needs-person',
  outcomeReason: OutcomeReason | null,
  detail: string | null = null,
): Decision {
  return { kind: 'close', state, outcomeReason, detail }
}

/** Past the time limit for an unknown outcome, which resending does not renew. For accepted ones see findDeadline. */
function isOverdue({ row, rules, now }: ReadingContext): boolean {
  return row.state !== 'accepted' && elapsed(row.undecidedSince ?? row.stateSince, now) > rules.reviewAfterMs
}

/** Whether the previous read found the payment or there was none. */
export function isFirstMiss({ lastRead }: Pick<CancellationRow, 'lastRead'>): boolean {
  return lastRead !== 'absent' && lastRead !== 'unreadable'
}

/** Last deadline of an accepted cancellation: a day after the payment date, but not before `reviewAfterMs`. */
function findDeadline({ row, rules }: ReadingContext, dates: PaymentDates): { at: number; reason: OutcomeReason } {
  const paymentDate = parseTimestamp(dates.paymentDate)
  const stateSince = row.stateSince.getTime()
  const isDate = paymentDate > 0 && paymentDate < END_OF_DATES
  if (!isDate) return { at: stateSince + DAY_MS, reason: 'unconfirmed' }
  return { at: Math.max(paymentDate + DAY_MS, stateSince + rules.reviewAfterMs), reason: 'past-payment-date' }
}

/**
 * When a person is asked about an accepted cancellation whose payment can still be cancelled: once half of the time until
 * the estimated cut-off is over, so that there is time to cancel it again. Null if that is not known to have been ahead, or
 * the payment is in another state.
 */
function findAskingTime({ row, rules }: ReadingContext, dates: PaymentDates): number | null {
  // In any other state it may be on its way to cancelled.
  if (classifyState(dates.status, rules) !== 'cancellable') return null
  const cutOff = estimateCutOff(dates, rules.cutOffs)
  const stateSince = row.stateSince.getTime()
  const left = cutOff === null ? 0 : cutOff.at - stateSince
  return left > 0 ? stateSince + Math.max(left / 2, rules.reviewAfterMs) : null
}

const noDates: PaymentDates = { status: null, paymentDate: null, scheduleDate: null, scheme: null }

/** When a person is asked at the latest where only what was last found is known. */
function findLastTime(context: ReadingContext): number {
  const dates = context.row.evidence.dates ?? noDates
  return Math.min(findDeadline(context, dates).at, findAskingTime(context, dates) ?? Infinity)
}

/**
 * The payment of an accepted cancellation was not found. Missing from a list that was read, twice and for long enough, it
 * is for a person. While nothing can be read that waits until the last time at which one would be asked.
 */
function decideAcceptedMissing(context: ReadingContext, kind: 'absent' | 'unreadable'): Decision {
  const { row, rules, now, age, lastRead } = context
  // Accepted cancellations are polled rarely, so `lastFoundAt` may be old: the first miss proves nothing.
  const isLong = !isFirstMiss(row) && Math.min(age, elapsed(row.lastFoundAt, now)) > rules.reviewAfterMs
  const isEnough = lastRead === 'absent' ? row.lastRead === 'absent' : now.getTime() > findLastTime(context)
  return isLong && isEnough ? close('needs-person', kind, row.detail) : readAgain(context)
}

/** Not found: manual review if that persists, and at once if two readings confirm it for a declined request. */
function decideMissing(context: ReadingContext, kind: 'absent' | 'unreadable'): Decision {
  const { row, rules, now, agreeingReads, age } = context
  if (row.state === 'accepted') return decideAcceptedMissing(context, kind)
  const missing = Math.min(age, elapsed(row.lastFoundAt, now))
  const isConfirmedAbsent = row.state === 'declined' && kind === 'absent' && agreeingReads >= 2
  return missing > rules.reviewAfterMs || isOverdue(context) || isConfirmedAbsent
    ? close('needs-person', kind, row.detail)
    : readAgain(context)
}

/** An accepted cancellation's payment was found, neither cancelled nor ended. */
function decideAccepted(context: ReadingContext, payment: Payment): Decision {
  const { now, agreeingReads } = context
  const dates = toPaymentDates(payment)
  const deadline = findDeadline(context, dates)
  if (now.getTime() > deadline.at) return close('needs-person', deadline.reason, dates.status)
  const askingTime = findAskingTime(context, dates)
  return askingTime !== null && now.getTime() > askingTime && agreeingReads >= 2
    ? close('needs-person', 'still-cancellable', dates.status)
    : readAgain(context)
}

/** The payment was found, neither cancelled nor ended. */
function decideUnchanged(context: ReadingContext, payment: Payment): Decision {
  const { row, rules, agreeingReads } = context
  if (row.state === 'accepted') return decideAccepted(context, payment)
  const isCancellable = classifyState(payment.status, rules) === 'cancellable'
  const status = toPlainText(payment.status) ?? null
  // A state in no list and not documented may be on its way to cancelled: by a doubled request or by somebody else.
  if (row.state === 'declined' && (isCancellable || isDocumentedState(normalizeState(payment.status)))) {
    if (agreeingReads < 2) return readAgain(context)
    return isCancellable
      ? close('not-cancelled', isRefusedAccess(row.evidence.reply) ? 'refused' : 'service-declined', row.detail)
      : close('not-cancelled', 'not-cancellable', status)
  }
  if (isOverdue(context))
    return row.state === 'declined'
      ? close('needs-person', 'declined-unconfirmed', row.detail)
      : close('needs-person', 'unconfirmed', status)
  const isSame = row.seen === null || findDifference(row.seen, toSeenPayment(payment)) === null
  // `attempts` counts requests that may have had an effect: send-outcome.ts takes back one that certainly did not.
  const isSpent = row.attempts >= 2 || row.evidence.restored === true
  const mayResend = !isSpent && isSame && isCancellable
  return mayResend && agreeingReads >= 2 ? { kind: 'send-again', payment } : readAgain(context)
}

/**
 * Step 6 of a cancellation (docs/architecture.md): decides what another reading means for an accepted, declined or
 * unknown cancellation. One reading suffices for cancelled; not cancelled needs two in a row that agree on a final state,
 * or for a declined one on a cancellable or documented state (decision 0001). An unknown one is resent at most once, accepted,
 * declined and restored ones never. Otherwise polling continues until manual review.
 */
export function decideByReading(row: CancellationRow, reading: Reading, rules: LedgerRules, now: Date): Decision {
  const age = elapsed(row.stateSince, now)
  // Such a list says as little each time, so it is read no sooner again than a whole one; it is no outage.
  const isListed = row.state === 'accepted' && reading.kind === 'unreadable' && isLasting(reading.why)
  const lastRead = isListed ? 'absent' : toReadingKey(reading, rules)
  const classified = reading.kind === 'found' ? classifyState(reading.payment.status, rules) : reading.kind
  const counts = classified === 'final' || isConclusive({ row, rules, now, age })
  const agreeing = row.lastRead === lastRead ? row.agreeingReads + 1 : 1
  const context = { row, rules, now, age, lastRead, agreeingReads: counts ? agreeing : 0 }
  if (reading.kind !== 'found') return decideMissing(context, reading.kind)
  const { payment } = reading
  if (classified === 'cancelled') {
    // Declined and never read before: someone else may have cancelled it earlier.
    const isOurs = row.state !== 'declined' || row.evidence.guard === 'read'
    return close('cancelled', isOurs ? null : 'already-cancelled')
  }
  if (classified !== 'final') return decideUnchanged(context, payment)
  return context.agreeingReads >= 2
    ? close('not-cancelled', 'too-late', toPlainText(payment.status) ?? null)
    : readAgain(context)
}

function describeReading(reading: Reading): ReadEvidence {
  return reading.kind === 'found' ? toReadEvidence(reading.payment) : reading
}

type ReadRecord = { lastRead: string; agreeingReads: number; delay: number; reading: Reading }

/** Stores an inconclusive reading. Only one that differs from the previous gets an activity-log entry. */
export async function recordRead(
  ledger: Ledger,
  row: CancellationRow,
  { lastRead, agreeingReads, delay, reading }: ReadRecord,
): Promise<void> {
  const { store } = ledger.clock
  await ledger.db.transaction(async (tx) => {
    const [updated] = await tx
      .update(cancellations)
      .set({
        lastRead,
        agreeingReads,
        // For an accepted row the first miss restarts `lastFoundAt`, which measures how long it has been missing.
        ...((reading.kind === 'found' || (row.state === 'accepted' && isFirstMiss(row))) && {
          lastFoundAt: store.sql(),
        }),
        evidence: {
          ...row.evidence,
          read: describeReading(reading),
          ...(reading.kind === 'found' && { dates: toPaymentDates(reading.payment) }),
        },
        dueAt: store.sql(delay),
        leaseHolder: null,
        leaseUntil: null,
      })
      .where(isUnchanged(row))
      .returning()
    if (!updated || row.lastRead === lastRead) return
    await appendActivity(tx, {
      connectionId: row.connectionId,
      at: ledger.clock.wall(),
      actor: 'desk',
      action: 'cancellation.read',
      objectKind: 'payment',
      objectId: row.paymentId,
      details: describeChange(updated),
    })
  })
}

/** A reading and the time of its request by the store's clock; it says nothing about later events. */
export type DatedReading = { reading: Reading; at: Date }

/** Resends a request; takes as long as the upstream API does. Never rejects. */
export type Resend = () => Promise<unknown>

async function applyDecision(
  ledger: Ledger,
  row: CancellationRow,
  decision: Exclude<Decision, { kind: 'send-again' }>,
  reading: Reading,
): Promise<void> {
  if (decision.kind === 'read-again') return recordRead(ledger, row, { ...decision, reading })
  const { state, outcomeReason, detail } = decision
  if (state === 'needs-person')
    ledger.report('cancellation-needs-person', { cancellationId: row.id, reason: outcomeReason })
  const evidence = { ...row.evidence, read: describeReading(reading) }
  await changeState(ledger, row, state, { outcomeReason, detail, evidence })
}

/** Resends on a current reading. One that grew old in the queue is read anew, which may change the decision. */
async function sendAgain(ledger: Ledger, row: CancellationRow, { reading, at }: DatedReading): Promise<void> {
  const { clock, rules } = ledger
  // The lease expired in the queue: whoever leases the row next decides again.
  if (row.leaseUntil === null || clock.store.now() >= row.leaseUntil) return
  const isFresh = elapsed(at, clock.store.now()) <= rules.maxReadingAgeMs
  const now = isFresh ? at : clock.store.now()
  const read = isFresh ? reading : await readPayment(ledger, row.paymentId)
  const decision = decideByReading(row, read, rules, now)
  if (decision.kind !== 'send-again') return applyDecision(ledger, row, decision, read)
  // By another reading, while this one waited for its turn.
  if (measureHold(ledger) > 0) return postpone(ledger, row, rules.pollIntervalMs)
  // The first request may have had an effect, so it is only read from now on.
  if (!(await ledger.maySend(row))) return postpone(ledger, row, MAX_DELAY_MS.open)
  await ledger.step('before-resend')
  await sendCancellation(ledger, row, decision.payment)
}

/**
 * Applies a reading to a leased cancellation: closes it, schedules the next read, or returns a function to resend it.
 */
export async function applyReading(ledger: Ledger, row: CancellationRow, dated: DatedReading): Promise<Resend | null> {
  const decision = decideByReading(row, dated.reading, ledger.rules, dated.at)
  if (decision.kind === 'send-again')
    return () => ledger.memory.send(() => runIsolated(ledger, row, () => sendAgain(ledger, row, dated)))
  await applyDecision(ledger, row, decision, dated.reading)
  return null
}
