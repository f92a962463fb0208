import type { Message } from '@/lib/language/runtime'
import type { CancellationView, Outcome, OutcomeReason } from './cancellation'
import { describeState } from '../states'
import * as m from '@/lib/messages/m'

/** The service's own words without their full stop, to be quoted inside a sentence. */
const endOpen = (detail: string) => detail.replace(/[.\s]+$/u, '')

/** By the reason; `detail` is the service's own words, a state or a person. */
const reasonMessages: Record<OutcomeReason, (detail: string | null) => string> = {
  'owner-signed-out': (owner) =>
    owner === null ? m.outcomes_reasonsOwnerSignedOut() : m.outcomes_reasonsNamedOwnerSignedOut({ owner }),
  'slow-down': m.outcomes_reasonsSlowDown,
  declined: (detail) =>
    detail ? m.outcomes_openDeclinedSaying({ detail: endOpen(detail) }) : m.outcomes_openDeclined(),
  'asked-to-wait': m.outcomes_reasonsAskedToWait,
  'in-bulk': m.outcomes_reasonsInBulk,
  'not-sent': m.outcomes_reasonsNotSent,
  stopped: m.outcomes_reasonsStopped,
  restored: m.outcomes_reasonsRestored,
  refused: (detail) =>
    detail ? m.outcomes_reasonsRefusedSaying({ detail: endOpen(detail) }) : m.outcomes_reasonsRefused(),
  'too-late': (detail) =>
    detail ? m.outcomes_reasonsTooLateSaying({ detail: describeState(detail) }) : m.outcomes_reasonsTooLate(),
  'already-cancelled': m.outcomes_reasonsAlreadyCancelled,
  'not-cancellable': (state) =>
    state ? m.outcomes_reasonsNotCancellableIn({ state: describeState(state) }) : m.outcomes_reasonsNotCancellable(),
  'service-declined': (detail) =>
    detail ? m.outcomes_reasonsDeclinedSaying({ detail: endOpen(detail) }) : m.outcomes_reasonsDeclined(),
  changed: m.outcomes_reasonsChanged,
  unreadable: m.outcomes_reasonsUnreadable,
  absent: m.outcomes_reasonsAbsent,
  'unread-since-sent': m.outcomes_reasonsUnreadSinceSent,
  'past-payment-date': m.outcomes_reasonsPastPaymentDate,
  unconfirmed: (state) =>
    state ? m.outcomes_reasonsUnconfirmedIn({ state: describeState(state) }) : m.outcomes_reasonsUnconfirmed(),
  'still-cancellable': (state) =>
    state ? m.outcomes_reasonsStillCancellableIn({ state: describeState(state) }) : m.outcomes_reasonsUnconfirmed(),
  'declined-unconfirmed': (detail) =>
    detail
      ? m.outcomes_reasonsDeclinedUnconfirmedSaying({ detail: endOpen(detail) })
      : m.outcomes_reasonsDeclinedUnconfirmed(),
}

/** Whether a reason in the ledger or the activity log has a message for people. */
export function isOutcomeReason(reason: string): reason is OutcomeReason {
  return Object.hasOwn(reasonMessages, reason)
}

const openMessages: Partial<Record<Outcome, (detail: string | null) => string>> = {
  sending: m.outcomes_openSending,
  requested: m.outcomes_openRequested,
  // Only a declined one has the service's words.
  unknown: (detail) => (detail ? reasonMessages.declined(detail) : m.outcomes_openUnknown()),
}

/** By its owner, where it was sent and only its payment is still to be read. */
const describeSignedOutSince = (owner: string | null) =>
  owner === null ? m.outcomes_signedOutSinceSent() : m.outcomes_namedSignedOutSinceSent({ owner })

/** Not cancelled for these reasons: the payment was read before anything was sent, not to learn what became of a request. */
const unsentMessages: Partial<Record<OutcomeReason, Message>> = {
  unreadable: m.outcomes_reasonsUnreadableUnsent,
  absent: m.outcomes_reasonsAbsentUnsent,
}

/** One or two sentences that explain an outcome; null when its label says it all. */
export function describeOutcome({
  outcome,
  reason,
  detail,
}: Pick<CancellationView, 'outcome' | 'reason' | 'detail'>): string | null {
  const unsent = outcome === 'not-cancelled' && reason ? unsentMessages[reason] : undefined
  if (unsent) return unsent()
  if (reason === 'owner-signed-out' && outcome !== 'sending') return describeSignedOutSince(detail)
  if (reason) return reasonMessages[reason](detail)
  return outcome === 'cancelled' ? null : (openMessages[outcome]?.(detail) ?? detail)
}

/** What a later manual check of the payment showed, as a sentence. */
export function describeRecheck({
  kind,
  status,
}: Pick<NonNullable<CancellationView['checked']>, 'kind' | 'status'>): string {
  if (kind === 'found')
    return status ? m.outcomes_serviceSays({ status: describeState(status) }) : m.outcomes_withoutState()
  return kind === 'absent' ? m.outcomes_notListed() : m.outcomes_notRead()
}
