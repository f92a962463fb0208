import type { Message } from '@/lib/language/runtime'
import type {
  BulkCounts,
  BulkMode,
  BulkResultRow,
  BulkSource,
  BulkState,
  BulkVerdict,
  BulkView,
} from './bulk-cancellation'
import { formatPaymentNames } from './bulk-list'
import { outcomeLabels } from './cancellation-outcome'
import * as m from '@/lib/messages/m'

/** Labels of the six outcomes and of the two states that are no outcome. */
export const bulkOutcomeLabels: Record<keyof BulkCounts, Message> = {
  unsent: m.bulkStates_unsent,
  ...outcomeLabels,
  left: m.bulkStates_left,
}

/** The label of a row; one that waits since a restored backup may have been sent meanwhile. */
export function labelRow({ outcome, why }: Pick<BulkResultRow, 'outcome' | 'why'>): string {
  return outcome === 'unsent' && why === 'restored' ? m.outcomes_waiting() : bulkOutcomeLabels[outcome]()
}

export const verdictLabels: Record<BulkVerdict, Message> = {
  cancellable: m.bulkStates_verdictsCancellable,
  'already-cancelled': m.bulkStates_verdictsAlreadyCancelled,
  'too-late': m.bulkStates_verdictsTooLate,
  'not-cancellable': m.bulkStates_verdictsNotCancellable,
  'in-hand': m.bulkStates_verdictsInHand,
  unknown: m.bulkStates_verdictsUnknown,
  malformed: m.bulkStates_verdictsMalformed,
  unstorable: m.bulkStates_verdictsUnstorable,
  duplicate: m.bulkStates_verdictsDuplicate,
  ambiguous: m.bulkStates_verdictsAmbiguous,
  'left-out': m.bulkStates_verdictsLeftOut,
}

export const modeLabels: Record<BulkMode, Message> = {
  live: m.bulkStates_modesLive,
  test: m.bulkStates_modesTest,
  unsaid: m.bulkStates_modesUnsaid,
}

const stateLabels: Record<BulkState, Message> = {
  preparing: m.bulkStates_statesPreparing,
  ready: m.bulkStates_statesReady,
  failed: m.bulkStates_statesFailed,
  awaiting: m.bulkStates_statesAwaiting,
  declined: m.bulkStates_statesDeclined,
  starting: m.bulkStates_statesStarting,
  running: m.bulkStates_statesRunning,
  paused: m.bulkStates_statesPaused,
  stopped: m.bulkStates_statesStopped,
  finished: m.bulkStates_statesFinished,
}

/** Whether a bulk waits until somebody acts. A slow or briefly unavailable service only slows it down. */
export function isBlocked({ wait }: Pick<BulkView, 'wait'>): boolean {
  return wait !== null && ['owner-signed-out', 'store-full', 'store-unavailable', 'internal'].includes(wait.code)
}

/** The label of a bulk's state; a blocked one is waiting. */
export function describeBulkState(view: Pick<BulkView, 'state' | 'wait'>): string {
  return isBlocked(view) ? m.bulkStates_waiting() : stateLabels[view.state]()
}

/** Describes the source of a list. */
export function describeSource(source: BulkSource): string {
  if (source.kind === 'filter') return m.bulkCancellation_allThatMatch({ source: source.words })
  return (
    source.name ||
    (source.payments && formatPaymentNames(source.payments)) ||
    m.bulkCancellation_selectedOrPastedPayments()
  )
}

const problems: Record<string, Message> = {
  'list-incomplete': m.bulkStates_problemsListIncomplete,
  'list-moved': m.bulkStates_problemsListMoved,
  'unreadable-entries': m.bulkStates_problemsUnreadableEntries,
  'list-too-long': m.bulkStates_problemsListTooLong,
  'list-unreadable': m.bulkStates_problemsListUnreadable,
  refused: m.bulkStates_problemsRefused,
  'too-many': m.bulkStates_problemsTooMany,
  interrupted: m.bulkStates_problemsInterrupted,
  revoked: m.bulkStates_problemsRevoked,
  'token-revoked': m.bulkStates_problemsTokenRevoked,
  declined: m.bulkStates_problemsDeclined,
  withdrawn: m.bulkStates_problemsWithdrawn,
  expired: m.bulkStates_problemsExpired,
  restored: m.bulkStates_problemsRestored,
}

/** Why a bulk failed or stopped; null when there is nothing to explain. */
export function describeProblem({ problem }: Pick<BulkView, 'problem'>): string | null {
  return problem === null ? null : (problems[problem] ?? m.bulkStates_somethingWentWrong)()
}

const waits: Record<string, Message> = {
  'slow-down': m.bulkStates_waitsSlowDown,
  'lease-lost': m.bulkStates_waitsLeaseLost,
  internal: m.bulkStates_waitsInternal,
  'store-full': m.bulkStates_waitsStoreFull,
  'store-unavailable': m.bulkStates_waitsStoreUnavailable,
  'upstream-unreachable': m.bulkStates_waitsUpstreamUnreachable,
  'upstream-timeout': m.bulkStates_waitsUpstreamTimeout,
  'upstream-credential': m.bulkStates_waitsUpstreamCredential,
  'upstream-forbidden': m.bulkStates_waitsUpstreamForbidden,
}

/** Whether a bulk waits for the user who started it to sign in. */
export function isOwnerSignedOut({ wait }: Pick<BulkView, 'wait'>): boolean {
  return wait?.code === 'owner-signed-out'
}

/** Why a bulk sends nothing at the moment; null when it does not wait. `isMine`: the reader started it. */
export function describeWait(view: Pick<BulkView, 'wait' | 'requestedBy'>, isMine: boolean): string | null {
  if (view.wait === null) return null
  const owner = isMine ? m.bulkStates_waitsForYou() : m.bulkStates_waitsForOwner({ who: view.requestedBy })
  return m.bulkStates_goesOn({
    why: isOwnerSignedOut(view) ? owner : (waits[view.wait.code] ?? m.bulkStates_trouble)(),
  })
}
