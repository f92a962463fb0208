import type { OutcomeReason } from '@/lib/contract/cancellation'
import type { Payment } from '@/lib/contract/payments'
import { readMoment } from '@/lib/contract/read-moment'
import { readPlainText } from '../plain-text'
import { isFormal } from './classify-outcome'
import { findDifference, seePayment } from './guard'
import type { CancellationRow } from './ledger'
import { elapsed } from './ledger-clock'
import { foldState, judgeState, type LedgerRules } from './ledger-rules'
import type { Reading } from './pick-payment'

/** What a read of the payment means for its cancellation. */
export type Decision =
  | {
      kind: 'close'
      state: 'cancelled' | 'not-cancelled' | 'needs-person'
      outcomeReason: OutcomeReason | null
      detail: string | null
    }
  | { kind: 'send-again'; payment: Payment }
  /** `delay` in milliseconds until the next read. */
  | { kind: 'read-again'; lastRead: string; agreeingReads: number; delay: number }

type Facts = {
  row: CancellationRow
  rules: LedgerRules
  now: Date
  /** Since the state began. */
  age: number
  lastRead: string
  agreeingReads: number
}

const day = 24 * 3_600_000
const longestDelay = { accepted: 15 * 60_000, open: 15_000 }

/** The read in one word, to tell whether two agree. */
function summarise(reading: Reading, rules: LedgerRules): string {
  if (reading.kind !== 'found') return reading.kind
  const { status } = reading.payment
  return `${judgeState(status, rules)}: ${foldState(readPlainText(status))}`
}

/** Whether a read that shows no effect says something already, or the effect may only be late. */
function isSettled({ row, rules, age }: Omit<Facts, 'lastRead' | 'agreeingReads'>): boolean {
  return age >= rules.grace || (row.state === 'declined' && isFormal(row.evidence.reply))
}

function readAgain({ row, rules, age, lastRead, agreeingReads }: Facts): Decision {
  // A read that failed says nothing of the payment: it is tried again as soon as where time presses.
  const mayWait = row.state === 'accepted' && lastRead !== 'unreadable'
  const longest = mayWait ? longestDelay.accepted : longestDelay.open
  // One read that would decide wants its second soon; else the longer it takes, the rarer.
  const isHalfSure = agreeingReads === 1 && (row.state !== 'accepted' || lastRead.startsWith('final'))
  const delay = isHalfSure ? rules.readEvery : Math.min(Math.max(age / 4, rules.readEvery), longest)
  return { kind: 'read-again', lastRead, agreeingReads, delay }
}

function close(
  state: 'cancelled' | 'not-cancelled' | 'needs-person',
  outcomeReason: OutcomeReason | null,
  detail: string | null = null,
): Decision {
  return { kind: 'close', state, outcomeReason, detail }
}

/** Past the time in which it had to become known; sending again does not renew it. An accepted one has until its payment date. */
function isOverdue({ row, rules, now }: Facts): boolean {
  return row.state !== 'accepted' && elapsed(row.undecidedSince ?? row.stateSince, now) > rules.personAfter
}

/** Whether the read before this one found the payment, or there was none. */
export function isFirstMiss({ lastRead }: Pick<CancellationRow, 'lastRead'>): boolean {
  return lastRead !== 'absent' && lastRead !== 'unreadable'
}

/** Not found: a person is asked when that lasts, and at once after a refusal that two whole reads confirm. */
function decideMissing(facts: Facts, kind: 'absent' | 'unreadable'): Decision {
  const { row, rules, now, agreeingReads, age } = facts
  // An accepted one is read so rarely that it may long not have been looked for: one miss says nothing yet.
  if (row.state === 'accepted' && isFirstMiss(row)) return readAgain(facts)
  const missing = Math.min(age, elapsed(row.lastFoundAt, now))
  const isGone = row.state === 'declined' && kind === 'absent' && agreeingReads >= 2
  return missing > rules.personAfter || isOverdue(facts) || isGone
    ? close('needs-person', kind, row.detail)
    : readAgain(facts)
}

/** Until when an accepted cancellation may take: a day past the payment date, never less than it takes to be sure. */
function findDeadline({ row, rules }: Facts, payment: Payment): { at: number; reason: OutcomeReason } {
  const paymentDate = readMoment(payment.paymentDate)
  const since = row.stateSince.getTime()
  if (Number.isNaN(paymentDate) || paymentDate <= 0) return { at: since + day, reason: 'unconfirmed' }
  return { at: Math.max(paymentDate + day, since + rules.personAfter), reason: 'past-payment-date' }
}

/** Found, but neither cancelled nor at an end. */
function decideUnchanged(facts: Facts, payment: Payment): Decision {
  const { row, rules, now, agreeingReads } = facts
  if (row.state === 'accepted') {
    const deadline = findDeadline(facts, payment)
    return now.getTime() > deadline.at
      ? close('needs-person', deadline.reason, readPlainText(payment.status) ?? null)
      : readAgain(facts)
  }
  if (row.state === 'declined') {
    return agreeingReads >= 2 ? close('not-cancelled', 'service-declined', row.detail) : readAgain(facts)
  }
  const isSame = row.seen === null || findDifference(row.seen, seePayment(payment)) === null
  if (isOverdue(facts)) return close('needs-person', 'unconfirmed', readPlainText(payment.status) ?? null)
  const mayBeSent = row.attempts < 2 && isSame && judgeState(payment.status, rules) === 'cancellable'
  return mayBeSent && agreeingReads >= 2 ? { kind: 'send-again', payment } : readAgain(facts)
}

/**
 * Step 6 of a cancellation (docs/architecture.md): what one more reading means for an accepted, declined or unknown
 * cancellation. Cancelled as soon as a read says so; not cancelled only when two in a row agree; sent again at most
 * once, and never when accepted or declined; else read again, until a person must look.
 */
export function decide(row: CancellationRow, reading: Reading, rules: LedgerRules, now: Date): Decision {
  const age = elapsed(row.stateSince, now)
  const lastRead = summarise(reading, rules)
  const judged = reading.kind === 'found' ? judgeState(reading.payment.status, rules) : reading.kind
  const counts = judged === 'final' || isSettled({ row, rules, now, age })
  const inARow = row.lastRead === lastRead ? row.agreeingReads + 1 : 1
  const facts = { row, rules, now, age, lastRead, agreeingReads: counts ? inARow : 0 }
  if (reading.kind !== 'found') return decideMissing(facts, reading.kind)
  const { payment } = reading
  if (judged === 'cancelled') {
    // Declined and never read before: it may well have been cancelled by somebody else, earlier.
    const isOurs = row.state !== 'declined' || row.evidence.guard === 'read'
    return close('cancelled', isOurs ? null : 'already-cancelled')
  }
  if (judged !== 'final') return decideUnchanged(facts, payment)
  return facts.agreeingReads >= 2
    ? close('not-cancelled', 'too-late', readPlainText(payment.status) ?? null)
    : readAgain(facts)
}
