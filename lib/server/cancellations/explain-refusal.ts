import type { Payment } from '@/lib/contract/payments'
import { Failure } from '../failure'
import type { CancellationRow } from './ledger'
import { viewCancellation } from './views'
import * as refusals from '@/lib/words/refusals'

const sentences = {
  'already-cancelled': 'It is already cancelled.',
  'too-late': 'It is too late to cancel it.',
} as const

function describeState(row: CancellationRow): string {
  if (row.outcomeReason === 'already-cancelled' || row.outcomeReason === 'too-late') return sentences[row.outcomeReason]
  return row.detail ? `Its state is ${row.detail}.` : 'Its state is not known.'
}

/**
 * What the caller is told of a cancellation that the guard closed before anything was sent; null for every
 * other. `payment` is the fresh read, where there was one just now.
 */
export function explainRefusal(row: CancellationRow, payment?: Payment): Failure | null {
  const isGuarded = row.closedAt !== null && row.attempts === 0 && row.outcomeReason !== 'not-sent'
  if (!isGuarded) return null
  const extensions = { cancellation: viewCancellation(row), ...(payment && { payment }) }
  const { difference } = row.evidence
  if (difference) {
    const detail =
      row.outcomeReason === 'changed'
        ? 'Nothing was sent. Look at it again.'
        : `Nothing was sent. ${describeState(row)}`
    return new Failure('changed-since-seen', { detail, extensions: { ...extensions, difference } })
  }
  if (row.outcomeReason === 'unreadable' || row.outcomeReason === 'absent') {
    return new Failure('confirmation-needed', { detail: refusals.nothingWasSent, extensions })
  }
  return new Failure('not-cancellable', { detail: refusals.nothingWasSentBecause(describeState(row)), extensions })
}
