import type { Payment } from '@/lib/contract/payments'
import { limitConcurrency } from '../limit-concurrency'
import { changeState } from './change-state'
import { decide } from './decide'
import { describePayment } from './guard'
import type { CancellationRow, Ledger } from './ledger'
import { after } from './ledger-clock'
import { leaseDue } from './lease-due'
import { noteRead } from './note-read'
import type { Reading } from './pick-payment'
import { readPayments } from './read-payment'
import { resumeIntent } from './resume-intent'
import { sendCancellation } from './send-cancellation'
import { readingStates } from './states'

const walkFor = 15 * 60_000
const walkPages = 10_000
const sendsAtOnce = 4

function describeReading(reading: Reading) {
  return reading.kind === 'found' ? describePayment(reading.payment) : reading
}

/** What remains to be done after a pass: sends, which may take as long as the service does. */
type FollowUp = { row: CancellationRow; work: () => Promise<void> }

/** Applies one reading to one cancellation: closes it, waits for the next read, or has it sent once more. */
async function settle(
  ledger: Ledger,
  row: CancellationRow,
  { reading, at }: { reading: Reading; at: Date },
): Promise<FollowUp | null> {
  const decision = decide(row, reading, ledger.rules, at)
  const evidence = describeReading(reading)
  if (decision.kind === 'send-again') return { row, work: () => sendAgain(ledger, row, decision.payment) }
  if (decision.kind === 'read-again') {
    await noteRead(ledger, row, { ...decision, evidence })
    return null
  }
  const { state, outcomeReason, detail } = decision
  if (state === 'needs-person')
    ledger.report('cancellation-needs-person', { cancellationId: row.id, reason: outcomeReason })
  await changeState(ledger, row, state, { outcomeReason, detail, evidence: { ...row.evidence, read: evidence } })
  return null
}

async function sendAgain(ledger: Ledger, row: CancellationRow, payment: Payment): Promise<void> {
  await ledger.step('before-resend')
  await sendCancellation(ledger, row, payment)
}

/** Whoever was sending is gone: what became of the request is not known. */
export async function giveUpSending(ledger: Ledger, row: CancellationRow): Promise<void> {
  await changeState(ledger, row, 'unknown', {
    dueAt: ledger.clock.now(),
    evidence: { ...row.evidence, reply: undefined, failure: 'interrupted' },
  })
}

/** One that fails must not keep the others; its lease runs out and it is taken up again. */
async function attend<Result>(
  ledger: Ledger,
  row: CancellationRow,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    ledger.report('cancellation-stuck', { cancellationId: row.id, error })
    return null
  }
}

async function readAndSettle(ledger: Ledger, rows: readonly CancellationRow[]): Promise<FollowUp[]> {
  if (rows.length === 0) return []
  // A reading is as old as the walk that brought it: one begun within the grace is no reading after it.
  const at = ledger.clock.now()
  const until = after(at, walkFor)
  const paymentIds = [...new Set(rows.map(({ paymentId }) => paymentId))]
  const readings = await readPayments(ledger, paymentIds, { paced: true, until, pages: walkPages })
  const settled = await Promise.all(
    rows.map((row) => {
      const reading = readings.get(row.paymentId) ?? { kind: 'unreadable', why: 'internal' }
      return attend(ledger, row, () => settle(ledger, row, { reading, at }))
    }),
  )
  return settled.filter((followUp) => followUp !== null)
}

/** How many were due, and the sends that the pass has begun; they never reject. */
export type Pass = { due: number; sends: Promise<unknown> }

/**
 * Step 6, one pass over everything that is due. Those that only reading can end share one walk of the list,
 * and the pass is done when they are settled; those that were never sent go through the guard, and what is
 * sent is not waited for. Throws what the store throws.
 */
export async function reconcile(ledger: Ledger): Promise<Pass> {
  const rows = await leaseDue(ledger)
  const gate = limitConcurrency(sendsAtOnce, Number.POSITIVE_INFINITY)
  const send = ({ row, work }: FollowUp) => gate(() => attend(ledger, row, work))
  const unsent = rows.filter(({ state }) => state === 'intended' || state === 'waiting')
  const begun = unsent.map((row) => send({ row, work: () => resumeIntent(ledger, row) }))
  const interrupted = rows.filter(({ state }) => state === 'sending')
  await Promise.all(interrupted.map((row) => attend(ledger, row, () => giveUpSending(ledger, row))))
  const readable = rows.filter(({ state }) => readingStates.some((reading) => reading === state))
  const again = await readAndSettle(ledger, readable)
  return { due: rows.length, sends: Promise.all([...begun, ...again.map(send)]) }
}
