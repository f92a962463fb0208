import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, gt } from 'drizzle-orm'
import { isSameId } from '@/lib/domain/ids'
import { cancelPayment, type Payment } from '@/lib/api-contract/payments'
import { toInternalError } from '../runtime/app-error'
import { isSameTime } from '../store/leases'
import { cancellations } from '../store/schema'
import { type Change, changeState } from './change-state'
import { classifyFailure, classifyReply, LEASE_LOST, recordOutcome, type SendOutcome } from './send-outcome'
import { getCancellationRow } from './queries'
import { toPaymentDates, toPaymentName, toSeenPayment } from './guard'
import { type CancellationRow, type Ledger, startStopwatch } from './ledger'

/** Whether an unknown outcome counts from this request; bulk rows have only queued before it. */
function isFirstRequest({ state, attempts, bulkId }: CancellationRow): boolean {
  return state === 'intended' || (bulkId !== null && attempts === 0)
}

/** Marks the row as sending if this process still holds the lease. From here on the request may have been received. */
function markSending(ledger: Ledger, row: CancellationRow, payment: Payment | null): Promise<CancellationRow | null> {
  const { sql: time } = ledger.clock.store
  const change: Change = {
    attempts: row.attempts + 1,
    seen: row.seen ?? (payment && toSeenPayment(payment)),
    sentAt: time(),
    undecidedSince: isFirstRequest(row) ? time() : (row.undecidedSince ?? time()),
    lastRead: null,
    agreeingReads: 0,
    lastFoundAt: payment ? time() : row.lastFoundAt,
    // The outcome of an earlier request has its own activity-log entry.
    evidence: {
      ...row.evidence,
      reply: undefined,
      failure: undefined,
      warning: undefined,
      ...(payment && { ...toPaymentName(payment), dates: toPaymentDates(payment) }),
      guard: payment ? 'read' : 'unread',
    },
    dueAt: null,
    leaseHolder: ledger.memory.holder,
    leaseUntil: time(ledger.rules.leaseMs),
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
 * The id in the request: the user's payment, with a UUID spelled as the upstream API does. A reading decides whether it
 * may be cancelled, never which payment. Throws if the reading is of another payment.
 */
function toTargetId(row: CancellationRow, payment: Payment | null): string {
  const id = payment === null ? row.paymentId : payment.id
  if (id === null || !isSameId(id, row.paymentId))
    throw toInternalError(new Error('what was read is another payment: nothing is sent'))
  return id
}

/** Whether the row still stands for this request, with enough of its lease left for the whole request. */
async function isStillSending({ db, clock, rules }: Ledger, { id, sentAt }: CancellationRow): Promise<boolean> {
  const { leaseUntil } = cancellations
  const isThisRequest = and(
    eq(cancellations.id, id),
    eq(cancellations.state, 'sending'),
    isSameTime(cancellations.sentAt, sentAt),
  )
  return (await db.$count(cancellations, and(isThisRequest, gt(leaseUntil, clock.store.sql(rules.sendTimeoutMs))))) > 0
}

/**
 * Sends one request and never a second, whether or not the browser disconnects. A process that was suspended may have
 * been replaced: so it checks the store once its socket is open, and `mayStart` right before the first byte. Never
 * throws.
 */
async function sendOnce(
  ledger: Ledger,
  row: CancellationRow,
  { paymentId, mayStart }: { paymentId: string; mayStart: () => boolean },
): Promise<SendOutcome> {
  let isTooLate = !mayStart()
  if (isTooLate) return { kind: 'not-sent', failure: LEASE_LOST }
  try {
    const reply = await ledger.call(cancelPayment, {
      params: { paymentId },
      body: { text: row.reason },
      idempotencyKey: row.id,
      deadline: ledger.rules.sendTimeoutMs,
      confirm: async () => {
        isTooLate = !(await isStillSending(ledger, row))
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
    return outcome.kind === 'not-sent' && isTooLate ? { kind: 'not-sent', failure: LEASE_LOST } : outcome
  }
}

/** Retries briefly while the store fails. A row left `sending` in the store is shown as unknown. */
async function storeOutcome(ledger: Ledger, row: CancellationRow, outcome: SendOutcome): Promise<CancellationRow> {
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
 * Idempotency-Key, and records the outcome. Returns the new row, or null if another process was faster. Throws only if
 * nothing was sent: `sending` could not be committed, or `payment` is a different one.
 */
export async function sendCancellation(
  ledger: Ledger,
  row: CancellationRow,
  payment: Payment | null,
): Promise<CancellationRow | null> {
  const paymentId = toTargetId(row, payment)
  // Started before the lease, so that it expires here before it does in the store.
  const readStopwatch = startStopwatch(ledger.clock)
  const sending = await markSending(ledger, row, payment)
  if (!sending) return null
  await ledger.step('after-sending')
  // Requests that start in time end within the lease.
  const mayStart = () => readStopwatch() < ledger.rules.leaseMs - ledger.rules.sendTimeoutMs
  const outcome = await sendOnce(ledger, sending, { paymentId, mayStart })
  await ledger.step('after-reply')
  const stored = await storeOutcome(ledger, sending, outcome)
  await ledger.step('after-outcome')
  return stored
}
