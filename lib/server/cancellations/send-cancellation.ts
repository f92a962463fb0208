import { setTimeout as wait } from 'node:timers/promises'
import { isSameId } from '@/lib/contract/ids'
import { cancelPayment, type Payment } from '@/lib/contract/payments'
import { changeState } from './change-state'
import { classifyFailure, classifyReply, type SendOutcome } from './classify-outcome'
import { findRow } from './find-row'
import { namePayment, seePayment } from './guard'
import type { CancellationRow, Ledger } from './ledger'
import { after } from './ledger-clock'
import { recordOutcome } from './record-outcome'

/** Whether nobody waits yet for what becomes of a request; the rows of a bulk stand in line until they are sent. */
function isFirst({ state, attempts, bulkId }: CancellationRow): boolean {
  return state === 'intended' || (bulkId !== null && attempts === 0)
}

/** Writes down that a request is about to go out; from here on it may have reached the service. */
function markSending(ledger: Ledger, row: CancellationRow, payment: Payment | null): Promise<CancellationRow | null> {
  const now = ledger.clock.now()
  return changeState(ledger, row, 'sending', {
    attempts: row.attempts + 1,
    seen: row.seen ?? (payment && seePayment(payment)),
    sentAt: now,
    undecidedSince: isFirst(row) ? now : (row.undecidedSince ?? now),
    lastRead: null,
    agreeingReads: 0,
    lastFoundAt: payment ? now : row.lastFoundAt,
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
    leaseUntil: after(now, ledger.rules.lease),
  })
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

/** One request, never a second; what the browser does meanwhile does not matter. Never throws. */
async function attempt(ledger: Ledger, row: CancellationRow, paymentId: string): Promise<SendOutcome> {
  // A process that was stopped for long may have been given up and replaced: it looks again before each write.
  const mayStart = () => row.leaseUntil !== null && ledger.clock.now() < row.leaseUntil
  if (!mayStart()) return { kind: 'not-sent', failure: 'lease-lost' }
  try {
    const reply = await ledger.call(cancelPayment, {
      params: { paymentId },
      body: { text: row.reason },
      idempotencyKey: row.id,
      deadline: ledger.rules.sendDeadline,
      mayStart,
    })
    return classifyReply(reply)
  } catch (error) {
    return classifyFailure(error)
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
      return (await recordOutcome(ledger, row, outcome)) ?? (await findRow(ledger, row.id))
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
  const sending = await markSending(ledger, row, payment)
  if (!sending) return null
  await ledger.step('after-sending')
  const outcome = await attempt(ledger, sending, paymentId)
  await ledger.step('after-reply')
  const kept = await keepOutcome(ledger, sending, outcome)
  await ledger.step('after-outcome')
  return kept
}
