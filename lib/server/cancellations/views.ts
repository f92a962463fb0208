import type { CancellationView } from '@/lib/contract/cancellation'
import type { CancellationRow } from './ledger'
import { states } from './states'

/** One of a bulk says that it waits there: its request is not on its way. */
function tellReason({ bulkId, state, outcomeReason }: CancellationRow): CancellationView['reason'] {
  const waits = bulkId !== null && (state === 'intended' || state === 'waiting')
  return outcomeReason ?? (waits ? 'in-bulk' : null)
}

/** A cancellation as the browser is told: one of the six words, why, and the service's own words. */
export function viewCancellation(row: CancellationRow): CancellationView {
  return {
    id: row.id,
    paymentId: row.paymentId,
    outcome: states[row.state].told,
    closed: row.closedAt !== null,
    reason: tellReason(row),
    detail: row.detail,
    text: row.reason,
    requestedBy: row.userEmail,
    requestedAt: row.createdAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    checked: row.checked && {
      at: row.checked.at,
      by: row.checked.by,
      kind: row.checked.kind,
      status: row.checked.status ?? null,
    },
    handled: row.handled && { at: row.handled.at, by: row.handled.by, note: row.handled.note },
  }
}
