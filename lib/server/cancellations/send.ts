import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, gt } from 'drizzle-orm'
import { isSameId } from '@/lib/domain/ids'
import { cancelPayment, type Payment } from '@/lib/api-contract/payments'
import { isSameTime } from '../store/leases'
import { cancellations } from '../store/schema'
import { type Change, changeState } from './change-state'
import { classifyFailure, classifyReply, leaseLost, recordOutcome, type SendOutcome } from './send-outcome'
import { getCancellationRow } from './queries'
import { namePayment, toSeenPayment } from './guard'
import { type CancellationRow, type Ledger, startStopwatch } from './ledger'

/** Whether nobody waits yet for what becomes of a request; the rows of a bulk stand in line until they are sent. */
function isFirst({ state, attempts, bulkId }: CancellationRow): boolean {
  return state === 'intended' || (bulkId !== null && attempts === 0)
}

/**
 * Writes down that a request is about to go out, if this process still holds the lease; from here on it may have reached
 * the service.
 */
function markSending(ledger: Ledger, row: CancellationRow, payment: Payment | null): Promise<CancellationRow | null> {
  const { sql: time } = ledger.clock.store
  const change: Change = {
    attempts: row.attempts + 1,
    seen: row.seen ?? (payment && toSeenPayment(payment)),
    sentAt: time(),
    undecidedSince: isFirst(row) ? time() : (row.undecidedSince ?? time()),
    lastRead: null,
    agreeingReads: 0,
    lastFoundAt: payment ? time() : row.lastFoundAt,
    // What came of a request before this one stands in its own row of the log.
    evidence: {
      ...row.evidence,
      reply: undefined,
      failure: undefined,
      warning: undefined,
      ...(payment && namePayment(payment)),
      guard: payment ? 'read' : 'unread',
    },
    dueAt: null,
    leaseHolder: ledger.memory.holder,
    leaseUntil: time(ledger.rules.lease),
  }
  const { leaseHolder, leaseUntil } = cancellations
  const isMine = and(
    eq(leaseHolder, ledger.memory.holder),
    isSameTime(leaseUntil, row.leaseUntil),
    gt(leaseUntil, time()),
  )
  return changeState(ledger, row, 'sending', change, isMine)
}

/**
 * The id that the request names: that of the user's payment, a UUID as the service spells it. What was read decides
 * whether it may be cancelled, never which one is.
 */
function nameTarget(row: CancellationRow, payment: Payment | null): string {
  const id = payment === null ? row.paymentId : payment.id
  if (id === null || !isSameId(id, row.paymentId)) throw new Error('what was read is another payment: nothing is sent')
  return id
}

/** Whether the store still knows this request as the one under way, with time left for the whole of it. */
async function isUnderWay({ db, clock, rules }: Ledger, { id, sentAt }: CancellationRow): Promise<boolean> {
  const { leaseUntil } = cancellations
  const isThis = and(
    eq(cancellations.id, id),
    eq(cancellations.state, 'sending'),
    isSameTime(cancellations.sentAt, sentAt),
  )
  return (await db.$count(cancellations, and(isThis, gt(leaseUntil, clock.store.sql(rules.sendDeadline))))) > 0
}

/**
 * One request, never a second; what the browser does meanwhile does not matter. A process that was held up for long may have
 * been given up and replaced: once its socket is open it asks the store, and `mayStart` in the moment before the first
 * byte. Never throws.
 */
async function attempt(
  ledger: Ledger,
  row: CancellationRow,
  { paymentId, mayStart }: { paymentId: string; mayStart: () => boolean },
): Promise<SendOutcome> {
  let isTooLate = !mayStart()
  if (isTooLate) return { kind: 'not-sent', failure: leaseLost }
  try {
    const reply = await ledger.call(cancelPayment, {
      params: { paymentId },
      body: { text: row.reason },
      idempotencyKey: row.id,
      deadline: ledger.rules.sendDeadline,
      confirm: async () => {
        isTooLate = !(await isUnderWay(ledger, row))
        return !isTooLate
      },
      mayStart: () => {
        isTooLate = !mayStart()
        return !isTooLate
      },
    })
    return classifyReply(reply)
  } catch (error) {
    const outcome = classifyFailure(error)
    return outcome.kind === 'not-sent' && isTooLate ? { kind: 'not-sent', failure: leaseLost } : outcome
  }
}

/**
 * Keeps trying to write the outcome down while the store has a passing weakness. When it has not, the
 * user is told what is true of a row that says no more than `sending`: unknown.
 */
async function keepOutcome(ledger: Ledger, row: CancellationRow, outcome: SendOutcome): Promise<CancellationRow> {
  for (const pause of [100, 500, 0]) {
    try {
      // Null: another process has taken over and knows more.
      return (await recordOutcome(ledger, row, outcome)) ?? (await getCancellationRow(ledger, row.id))
    } catch {
      ledger.report('outcome-not-kept', { cancellationId: row.id, outcome: outcome.kind })
      if (pause > 0) await wait(pause)
    }
  }
  return { ...row, state: 'unknown' }
}

/**
 * Steps 4 and 5: marks the cancellation as sending, sends one DELETE with the reason and the intent's id as
 * Idempotency-Key, and writes down what is known afterwards. Answers the row as it then is, or null when
 * somebody else was quicker to send. Throws only when `sending` could not be committed, or `payment` is not the one
 * that the cancellation is of: then nothing was sent.
 */
export async function sendCancellation(
  ledger: Ledger,
  row: CancellationRow,
  payment: Payment | null,
): Promise<CancellationRow | null> {
  const paymentId = nameTarget(row, payment)
  // From before the lease begins: it is over here before it is over there.
  const readStopwatch = startStopwatch(ledger.clock)
  const sending = await markSending(ledger, row, payment)
  if (!sending) return null
  await ledger.step('after-sending')
  // Whatever was begun by then has ended by the end of the lease.
  const mayStart = () => readStopwatch() < ledger.rules.lease - ledger.rules.sendDeadline
  const outcome = await attempt(ledger, sending, { paymentId, mayStart })
  await ledger.step('after-reply')
  const kept = await keepOutcome(ledger, sending, outcome)
  await ledger.step('after-outcome')
  return kept
}
