import { and, eq, type SQL } from 'drizzle-orm'
import type { Payment } from '@/lib/api-contract/payments'
import type { OutcomeReason } from '@/lib/domain/cancellations/cancellation'
import { parseTimestamp } from '@/lib/domain/date'
import { appendActivity } from '../activity-log/append'
import { toPlainText } from '../http/untrusted-text'
import { isSameTime } from '../store/leases'
import { cancellations } from '../store/schema'
import { changeState, describeChange } from './change-state'
import { describePayment, findDifference, toSeenPayment } from './guard'
import { runIsolated } from './leases'
import { type CancellationRow, classifyState, elapsed, type Ledger, type LedgerRules, normalizeState } from './ledger'
import type { Reading } from './payment-pages'
import { readPayment } from './read-payment'
import { sendCancellation } from './send'
import { isFormal } from './send-outcome'
import type { ReadEvidence } from './states'

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
  return `${classifyState(status, rules)}: ${normalizeState(toPlainText(status))}`
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
  const paymentDate = parseTimestamp(payment.paymentDate)
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
      ? close('needs-person', deadline.reason, toPlainText(payment.status) ?? null)
      : readAgain(facts)
  }
  if (row.state === 'declined') {
    return agreeingReads >= 2 ? close('not-cancelled', 'service-declined', row.detail) : readAgain(facts)
  }
  const isSame = row.seen === null || findDifference(row.seen, toSeenPayment(payment)) === null
  if (isOverdue(facts)) return close('needs-person', 'unconfirmed', toPlainText(payment.status) ?? null)
  const mayBeSent = row.attempts < 2 && isSame && classifyState(payment.status, rules) === 'cancellable'
  return mayBeSent && agreeingReads >= 2 ? { kind: 'send-again', payment } : readAgain(facts)
}

/**
 * Step 6 of a cancellation (docs/architecture.md): what one more reading means for an accepted, declined or unknown
 * cancellation. Cancelled as soon as a read says so; not cancelled only when two in a row agree; sent again at most
 * once, and never when accepted or declined; else read again, until a person must look.
 */
export function decideByReading(row: CancellationRow, reading: Reading, rules: LedgerRules, now: Date): Decision {
  const age = elapsed(row.stateSince, now)
  const lastRead = summarise(reading, rules)
  const judged = reading.kind === 'found' ? classifyState(reading.payment.status, rules) : reading.kind
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
    ? close('not-cancelled', 'too-late', toPlainText(payment.status) ?? null)
    : readAgain(facts)
}

/** The row as it was when it was taken, under the same lease. */
function isStillAt({ id, state, attempts, leaseUntil }: CancellationRow): SQL | undefined {
  return and(
    eq(cancellations.id, id),
    eq(cancellations.state, state),
    eq(cancellations.attempts, attempts),
    isSameTime(cancellations.leaseUntil, leaseUntil),
  )
}

type Note = { lastRead: string; agreeingReads: number; delay: number; evidence: ReadEvidence }

/**
 * Writes down a read that ended nothing, and when the next is due. The activity log gets a row only when
 * the read said something else than the one before it: most say the same.
 */
export async function recordRead(
  ledger: Ledger,
  row: CancellationRow,
  { lastRead, agreeingReads, delay, evidence }: Note,
): Promise<void> {
  const { store } = ledger.clock
  await ledger.db.transaction(async (tx) => {
    const [noted] = await tx
      .update(cancellations)
      .set({
        lastRead,
        agreeingReads,
        // From the first miss on it counts how long an accepted one is missing.
        ...((evidence.kind === 'found' || (row.state === 'accepted' && isFirstMiss(row))) && {
          lastFoundAt: store.sql(),
        }),
        evidence: { ...row.evidence, read: evidence },
        dueAt: store.sql(delay),
        leaseHolder: null,
        leaseUntil: null,
      })
      .where(isStillAt(row))
      .returning()
    if (!noted || row.lastRead === lastRead) return
    await appendActivity(tx, {
      connectionId: row.connectionId,
      at: ledger.clock.wall(),
      actor: 'desk',
      action: 'cancellation.read',
      objectKind: 'payment',
      objectId: row.paymentId,
      details: describeChange(noted),
    })
  })
}

/** Gives a cancellation back that could not be worked on now, to be taken up again after `delay` milliseconds. */
export async function postpone({ db, clock }: Ledger, row: CancellationRow, delay: number): Promise<void> {
  await db
    .update(cancellations)
    .set({ dueAt: clock.store.sql(delay), leaseHolder: null, leaseUntil: null })
    .where(isStillAt(row))
}

/** A reading and when it was asked for, by the store's clock: it says nothing of what happened later. */
export type DatedReading = { reading: Reading; at: Date }

/** Sending again, which may take as long as the service does; never rejects. */
export type Resend = () => Promise<unknown>

function describeReading(reading: Reading) {
  return reading.kind === 'found' ? describePayment(reading.payment) : reading
}

async function apply(
  ledger: Ledger,
  row: CancellationRow,
  decision: Exclude<Decision, { kind: 'send-again' }>,
  reading: Reading,
): Promise<void> {
  const evidence = describeReading(reading)
  if (decision.kind === 'read-again') return recordRead(ledger, row, { ...decision, evidence })
  const { state, outcomeReason, detail } = decision
  if (state === 'needs-person')
    ledger.report('cancellation-needs-person', { cancellationId: row.id, reason: outcomeReason })
  await changeState(ledger, row, state, { outcomeReason, detail, evidence: { ...row.evidence, read: evidence } })
}

/** Sends it once more, on a reading of this moment: one that had to wait is read anew, and may then say otherwise. */
async function sendAgain(ledger: Ledger, row: CancellationRow, { reading, at }: DatedReading): Promise<void> {
  const { clock, rules } = ledger
  // Waiting in line has cost the lease: whoever takes it up next decides anew.
  if (row.leaseUntil === null || clock.store.now() >= row.leaseUntil) return
  const isFresh = elapsed(at, clock.store.now()) <= rules.freshFor
  const now = isFresh ? at : clock.store.now()
  const read = isFresh ? reading : await readPayment(ledger, row.paymentId)
  const decision = decideByReading(row, read, rules, now)
  if (decision.kind !== 'send-again') return apply(ledger, row, decision, read)
  await ledger.step('before-resend')
  await sendCancellation(ledger, row, decision.payment)
}

/**
 * Applies one reading to one leased cancellation: closes it, notes when to read next, or answers how it is
 * sent once more. Throws what the store throws.
 */
export async function applyReading(ledger: Ledger, row: CancellationRow, dated: DatedReading): Promise<Resend | null> {
  const decision = decideByReading(row, dated.reading, ledger.rules, dated.at)
  if (decision.kind === 'send-again')
    return () => ledger.memory.send(() => runIsolated(ledger, row, () => sendAgain(ledger, row, dated)))
  await apply(ledger, row, decision, dated.reading)
  return null
}
