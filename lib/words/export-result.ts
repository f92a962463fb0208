/*
 * What an export has come to. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

/** Why one stopped, as the second half of a sentence. */
export const reasons = {
  'by-person': 'by you',
  'author-left': 'the account that began it has no access any more',
  interrupted: 'the desk was restarted',
  'list-incomplete': 'the service did not say how the list goes on, or it changed while it was read',
  'upstream-slow-down': 'too many requests',
  'upstream-unreachable': 'the service could not be reached',
  'upstream-timeout': 'the service did not answer in time',
  'upstream-refused': 'the service did not accept the place to go on, or the filter',
  'upstream-credential': 'the service did not accept the desk’s credential',
  'upstream-forbidden': 'the service refused',
  'upstream-bad-reply': 'a reply of the service could not be read',
  'upstream-error': 'the service failed',
}
export const wentWrong = 'something went wrong here'
export const lost = (count: string) => `; ${count} could not be read`
export const soFar = (count: string) => `${count} so far`
export const soFarOf = (count: string, read: string) => `${count} so far, of ${read} read`
export const stopped = (count: string, why: string) => `Stopped after ${count}: ${why}`
export const matching = (count: string, read: string) => `${count} of ${read} match, complete`
export const complete = (count: string, all: string) => `${count} of ${all}, complete`
