import { closeByGuard, evaluateGuard } from '../cancellations/guard'
import type { CancellationRow, Ledger } from '../cancellations/ledger'
import { isLasting, measureHold, type Reading } from '../cancellations/payment-pages'
import { sendCancellation } from '../cancellations/send'
import { isRefusedAccess } from '../cancellations/send-outcome'
import { AppError } from '../runtime/app-error'

/**
 * Result of a row's turn. Nothing was sent for `held` (the bulk is not running), `requeue` (its reading is of no use
 * any more), `unread` (the payment could not be read) and `unsent` (the request never left; the row is queued again).
 * `refused`: the upstream API seems to refuse all our cancellations. `wait`: Retry-After in ms, if given.
 */
export type RowResult =
  | { kind: 'done' | 'held' | 'requeue' | 'refused' }
  | { kind: 'slow-down'; wait: number }
  | { kind: 'unread'; why: string; isSlowDown: boolean; wait?: number }
  | { kind: 'unsent'; why: string }

/**
 * Processes one row: compares what the list showed with a fresh reading, if there is one, checks that the bulk is
 * still running, and sends one request. Throws only if `sending` was not committed; then nothing was sent.
 */
export async function sendRow(
  ledger: Ledger,
  row: CancellationRow,
  { read, isRunning }: { read: () => Promise<Reading | null>; isRunning: () => Promise<boolean> },
): Promise<RowResult> {
  const reading = await read()
  if (reading === null) return { kind: 'requeue' }
  const verdict = evaluateGuard(row, reading, ledger.rules)
  if (verdict.kind === 'unreadable' && !isLasting(verdict.why)) {
    const wait = measureHold(ledger, verdict.why)
    return { kind: 'unread', why: verdict.why, isSlowDown: verdict.why === 'status-429', ...(wait > 0 && { wait }) }
  }
  if (!(await isRunning())) return { kind: 'held' }
  if (verdict.kind !== 'pass') {
    await closeByGuard(ledger, row, verdict)
    return { kind: 'done' }
  }
  // By the reading of another row, while this one waited for its turn.
  const hold = measureHold(ledger)
  if (hold > 0) return { kind: 'unread', why: 'status-429', isSlowDown: true, wait: hold }
  const sent = await sendCancellation(ledger, row, verdict.payment)
  if (sent?.state === 'waiting' && sent.evidence.failure !== undefined)
    return { kind: 'unsent', why: sent.evidence.failure }
  if (sent?.state === 'waiting')
    return { kind: 'slow-down', wait: Math.max(0, (sent.dueAt?.getTime() ?? 0) - ledger.clock.store.now().getTime()) }
  return { kind: isRefusedAccess(sent?.evidence.reply) ? 'refused' : 'done' }
}

const DISK_FULL_CODES = ['53100', 'ENOSPC']

/** Whether the error itself, not one of its causes, is a fault of ours. */
function isOurFault(error: unknown): boolean {
  if (error instanceof AppError) return error.code !== 'store-unavailable'
  return error instanceof TypeError || error instanceof ReferenceError
}

/** What interrupted the bulks: the store, whose disk may be full as the error or one of its causes says, or a fault of ours. */
export function classifyStoreError(error: unknown): 'store-full' | 'store-unavailable' | 'internal' {
  let current: unknown = error
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && DISK_FULL_CODES.includes(current.code))
      return 'store-full'
    if (/no space left on device|could not extend file/iu.test(current.message)) return 'store-full'
    current = current.cause
  }
  return isOurFault(error) ? 'internal' : 'store-unavailable'
}

const READ_ERROR_CODES: Readonly<Record<string, string>> = {
  'status-429': 'slow-down',
  'status-401': 'upstream-credential',
  'status-403': 'upstream-forbidden',
}

/** Maps the reason of a failed read to an error code. */
export function classifyReadError(why: string): string {
  return READ_ERROR_CODES[why] ?? (why.startsWith('status-') ? 'upstream-error' : why)
}
