import { changeState } from './change-state'
import { closeByGuard, judgeGuard } from './guard'
import type { CancellationRow, Ledger } from './ledger'
import { elapsed } from './ledger-clock'
import { postpone } from './note-read'
import { readPayment } from './read-payment'
import { sendCancellation } from './send-cancellation'

/** Whether an intent that was never sent is too old to be sent without being asked for again. */
export function isStale({ clock, rules }: Ledger, row: CancellationRow): boolean {
  const age =
    row.state === 'intended'
      ? elapsed(row.stateSince, clock.store.now())
      : elapsed(row.undecidedSince ?? row.stateSince, clock.store.now())
  // An age below nothing was measured by another clock: it proves nothing, and not sending is safe.
  return Math.abs(age) > (row.state === 'intended' ? rules.intentLives : rules.personAfter)
}

/** Closes an intent of which nothing reached the service. */
export async function closeUnsent(ledger: Ledger, row: CancellationRow): Promise<void> {
  await changeState(ledger, row, 'not-cancelled', { outcomeReason: 'not-sent' })
}

/**
 * Sends an intent that was interrupted before it was sent, or that had to wait, through the guard: what the
 * user saw must still hold. While the payment cannot be read it waits; too old, it is closed as not sent.
 */
export async function resumeIntent(ledger: Ledger, row: CancellationRow): Promise<void> {
  if (isStale(ledger, row)) return closeUnsent(ledger, row)
  const verdict = judgeGuard(row, await readPayment(ledger, row.paymentId), ledger.rules)
  if (verdict.kind === 'unreadable') return postpone(ledger, row, ledger.rules.readEvery)
  if (verdict.kind === 'pass') await sendCancellation(ledger, row, verdict.payment)
  else await closeByGuard(ledger, row, verdict)
}
