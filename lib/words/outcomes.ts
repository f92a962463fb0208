/*
 * What became of a cancellation. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

/** The six words in which people are told what became of a cancellation. */
export const outcomes = {
  sending: 'Sending',
  requested: 'Cancellation requested',
  cancelled: 'Cancelled',
  'not-cancelled': 'Not cancelled',
  unknown: 'Outcome unknown',
  'needs-person': 'Needs a person',
}

/** How many more outcomes came at the same time. */
export const andOthers = (count: number) => (count === 1 ? 'And one more' : `And ${count} more`)

/** Where nothing is on its way although it was asked for. */
export const notSentYet = 'Not sent yet'
export const waitingForSignIn = 'Waiting for sign-in'

function quote(detail: string | null): string {
  return detail ? `: “${detail.replace(/[.\s]+$/u, '')}”` : ''
}

/** Why, by its code; `detail` is the service's own words, a state or a person. */
export const reasons = {
  'owner-signed-out': (detail: string | null) =>
    `Waiting for ${detail ?? 'its owner'} to sign in: the service is asked with their own access.`,
  'slow-down': () => 'The service asked to slow down. The request is sent as soon as it allows.',
  'in-bulk': () => 'It waits for its turn in a bulk cancellation. Nothing was sent yet.',
  'not-sent': () => 'Nothing reached the service. The payment is as it was.',
  stopped: () => 'The bulk was stopped before this was sent. The payment is as it was.',
  refused: (detail: string | null) => `The service refused the request${quote(detail)}. The payment is as it was.`,
  'too-late': (detail: string | null) => (detail ? `Too late: ${detail}.` : 'Too late.'),
  'already-cancelled': () => 'It had been cancelled before.',
  'not-cancellable': (detail: string | null) =>
    detail ? `A payment in the state ${detail} cannot be cancelled.` : 'In its present state it cannot be cancelled.',
  'service-declined': (detail: string | null) => `The service declined${quote(detail)}. The payment is as it was.`,
  changed: () => 'The payment changed before the request was sent.',
  unreadable: () => 'The payment could not be read again. Look it up at the service before you do anything else.',
  absent: () => 'The payment is no longer among those that the service lists. Look it up at the service.',
  'past-payment-date': () => 'The payment date has passed without a sign of an end. Look it up at the service.',
  unconfirmed: () => 'The service has not confirmed an end in time. Look it up at the service.',
}

export const open = {
  sending: 'The request is on its way to the service.',
  requested: 'The service accepted the request. It counts as cancelled once a read shows it.',
  unknown: 'The service gave no clear answer. Do not ask again: the desk keeps checking until it knows.',
}

export const serviceSays = (status: string) => `the service says ${status}.`
export const withoutState = 'the service lists it without a state.'
export const notListed = 'the service does not list it.'
export const notRead = 'it could not be read.'
