import type { CancellationView, Outcome, OutcomeReason } from '@/lib/contract/cancellation'

/** The six words in which people are told what became of a cancellation. */
export const outcomeWords: Record<Outcome, string> = {
  sending: 'Sending',
  requested: 'Cancellation requested',
  cancelled: 'Cancelled',
  'not-cancelled': 'Not cancelled',
  unknown: 'Outcome unknown',
  'needs-person': 'Needs a person',
}

const reasonWords: Record<OutcomeReason, (detail: string | null) => string> = {
  'owner-signed-out': (detail) =>
    `Waiting for ${detail ?? 'its owner'} to sign in: the service is asked with their own access.`,
  'slow-down': () => 'The service asked to slow down. The request is sent as soon as it allows.',
  'in-bulk': () => 'It waits for its turn in a bulk cancellation. Nothing was sent yet.',
  'not-sent': () => 'Nothing reached the service. The payment is as it was.',
  stopped: () => 'The bulk was stopped before this was sent. The payment is as it was.',
  refused: (detail) => `The service refused the request${quote(detail)}. The payment is as it was.`,
  'too-late': (detail) => (detail ? `Too late: ${detail}.` : 'Too late.'),
  'already-cancelled': () => 'It had been cancelled before.',
  'not-cancellable': (detail) =>
    detail ? `A payment in the state ${detail} cannot be cancelled.` : 'In its present state it cannot be cancelled.',
  'service-declined': (detail) => `The service declined${quote(detail)}. The payment is as it was.`,
  changed: () => 'The payment changed before the request was sent.',
  unreadable: () => 'The payment could not be read again. Look it up at the service before you do anything else.',
  absent: () => 'The payment is no longer among those that the service lists. Look it up at the service.',
  'past-payment-date': () => 'The payment date has passed without a sign of an end. Look it up at the service.',
  unconfirmed: () => 'The service has not confirmed an end in time. Look it up at the service.',
}

function quote(detail: string | null): string {
  return detail ? `: “${detail.replace(/[.\s]+$/u, '')}”` : ''
}

const openWords: Partial<Record<Outcome, string>> = {
  sending: 'The request is on its way to the service.',
  requested: 'The service accepted the request. It counts as cancelled once a read shows it.',
  unknown: 'The service gave no clear answer. The desk keeps reading until it knows; do not ask again.',
}

/** One or two sentences on why an outcome is what it is; null when the word says it all. */
export function describeOutcome({
  outcome,
  reason,
  detail,
}: Pick<CancellationView, 'outcome' | 'reason' | 'detail'>): string | null {
  if (reason) return reasonWords[reason](detail)
  return outcome === 'cancelled' ? null : (openWords[outcome] ?? detail)
}

/** What a person's later look at a payment showed, as a sentence. */
export function describeChecked({
  kind,
  status,
}: Pick<NonNullable<CancellationView['checked']>, 'kind' | 'status'>): string {
  if (kind === 'found') return status ? `the service says ${status}.` : 'the service lists it without a state.'
  return kind === 'absent' ? 'the service does not list it.' : 'it could not be read.'
}
