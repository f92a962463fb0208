/*
 * How a bulk cancellation and its rows stand. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const unsent = 'Not sent yet'
export const left = 'Left to another cancellation'
export const verdicts = {
  cancellable: 'Can be cancelled',
  'already-cancelled': 'Already cancelled',
  'too-late': 'Too late',
  'not-cancellable': 'Cannot be cancelled in its state',
  'in-hand': 'Being cancelled already',
  unknown: 'No payment of this id or handle',
  malformed: 'Not an id or a handle',
  duplicate: 'Given twice',
}
export const states = {
  preparing: 'Reading the list',
  ready: 'Not confirmed yet',
  failed: 'No list could be made',
  starting: 'Starting',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
  finished: 'Finished',
}
export const problems = {
  'list-incomplete': 'The service’s list of payments could not be followed to its end.',
  'unreadable-entries': 'The service’s list holds entries that cannot be read.',
  'list-too-long': 'The service’s list of payments has no end.',
  'list-unreadable': 'The service’s list of payments could not be read.',
  refused: 'The service refuses to cancel payments.',
  'too-many': 'More than 10,000 payments match. Narrow the filter.',
  interrupted: 'The desk was restarted while the list was read. Make it anew.',
  revoked: 'Whoever started it may not cancel payments any more.',
}
export const waiting = 'Waiting'
export const waitsForOwner = (who: string) =>
  `Waiting for ${who} to sign in through the provider: the service is asked with their own access.`
export const waitsForYou = 'Waiting for you to sign in through the provider: the service is asked with your own access.'
export const waits = {
  'slow-down': 'The service asks to slow down.',
  'lease-lost': 'The desk stood still for a moment.',
  internal: 'Something went wrong in the desk.',
  'store-full': 'The disk of the desk is full: nothing is sent until there is room again.',
  'store-unavailable': 'The desk’s own store is not available: nothing is sent until it is.',
  'upstream-unreachable': 'The service cannot be reached.',
  'upstream-timeout': 'The service does not answer in time.',
  'upstream-credential': 'The service does not accept the desk’s credential.',
  'upstream-forbidden': 'The service refuses to show payments.',
}
export const modes = { live: 'Live', test: 'Test', unsaid: 'Live or test: not said' }
export const somethingWentWrong = 'Something went wrong.'
export const trouble = 'The service has trouble.'
export const goesOn = (why: string) => `${why} It goes on by itself.`
