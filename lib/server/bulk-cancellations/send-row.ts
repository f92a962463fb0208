import { closeByGuard, evaluateGuard } from '../cancellations/guard'
import type { CancellationRow, Ledger } from '../cancellations/ledger'
import type { Reading } from '../cancellations/payment-pages'
import { sendCancellation } from '../cancellations/send'

/**
 * What became of one row's turn. `held`: the bulk does not run any more, nothing was sent. `unread`: the service
 * could not be read, nothing was sent. `unsent`: the request never left, and the row is in line again. `refused`: the service refuses cancellations of ours altogether, it seems.
 */
export type Turn =
  | { kind: 'done' | 'held' | 'refused' }
  | { kind: 'slow-down'; wait: number }
  | { kind: 'unread'; why: string; isSlowDown: boolean }
  | { kind: 'unsent'; why: string }

/** These say something of the payment or of its list, not of a service that has a bad moment. */
const lasting = [
  'absent',
  'contradiction',
  'unreadable-entries',
  'no-offset',
  'no-word',
  'offset-too-long',
  'page-too-long',
  'offset-repeated',
  'too-many-pages',
]

/**
 * Carries one row out: compares what the list showed with a fresh reading, looks whether the bulk still runs, and
 * sends one request. Throws what the store throws before `sending` was committed: then nothing was sent.
 */
export async function sendRow(
  ledger: Ledger,
  row: CancellationRow,
  { read, isRunning }: { read: () => Promise<Reading>; isRunning: () => Promise<boolean> },
): Promise<Turn> {
  const verdict = evaluateGuard(row, await read(), ledger.rules)
  if (verdict.kind === 'unreadable' && !lasting.includes(verdict.why))
    return { kind: 'unread', why: verdict.why, isSlowDown: verdict.why === 'status-429' }
  if (!(await isRunning())) return { kind: 'held' }
  if (verdict.kind !== 'pass') {
    await closeByGuard(ledger, row, verdict)
    return { kind: 'done' }
  }
  const sent = await sendCancellation(ledger, row, verdict.payment)
  if (sent?.state === 'waiting' && sent.outcomeReason === null)
    return { kind: 'unsent', why: sent.evidence.failure ?? 'internal' }
  if (sent?.state === 'waiting')
    return { kind: 'slow-down', wait: Math.max(0, (sent.dueAt?.getTime() ?? 0) - ledger.clock.store.now().getTime()) }
  return { kind: sent?.outcomeReason === 'refused' ? 'refused' : 'done' }
}

const full = ['53100', 'ENOSPC']

/** Whether a store's failure, or one of its causes, says that its disk is full; else it is only not available. */
export function classifyStoreError(error: unknown): 'store-full' | 'store-unavailable' {
  let current: unknown = error
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && full.includes(current.code)) return 'store-full'
    if (/no space left on device|could not extend file/iu.test(current.message)) return 'store-full'
    current = current.cause
  }
  return 'store-unavailable'
}

const codes: Readonly<Record<string, string>> = {
  'status-429': 'slow-down',
  'status-401': 'upstream-credential',
  'status-403': 'upstream-forbidden',
}

/** Why the service could not be read, as a code for people's words. */
export function classifyReadError(why: string): string {
  return codes[why] ?? (why.startsWith('status-') ? 'upstream-error' : why)
}
