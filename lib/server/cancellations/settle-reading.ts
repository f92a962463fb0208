import { attend } from './attend'
import { changeState } from './change-state'
import { type Decision, decide } from './decide'
import { describePayment } from './guard'
import type { CancellationRow, Ledger } from './ledger'
import { elapsed } from './ledger-clock'
import { noteRead } from './note-read'
import type { Reading } from './pick-payment'
import { readPayment } from './read-payment'
import { sendCancellation } from './send-cancellation'

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
  if (decision.kind === 'read-again') return noteRead(ledger, row, { ...decision, evidence })
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
  const decision = decide(row, read, rules, now)
  if (decision.kind !== 'send-again') return apply(ledger, row, decision, read)
  await ledger.step('before-resend')
  await sendCancellation(ledger, row, decision.payment)
}

/**
 * Applies one reading to one leased cancellation: closes it, notes when to read next, or answers how it is
 * sent once more. Throws what the store throws.
 */
export async function settleReading(ledger: Ledger, row: CancellationRow, dated: DatedReading): Promise<Resend | null> {
  const decision = decide(row, dated.reading, ledger.rules, dated.at)
  if (decision.kind === 'send-again')
    return () => ledger.memory.send(() => attend(ledger, row, () => sendAgain(ledger, row, dated)))
  await apply(ledger, row, decision, dated.reading)
  return null
}
