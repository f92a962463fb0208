/*
 * What failures and refusals say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

/** By the code of the problem. */
export const codes = {
  'signed-out': {
    title: 'You are signed out',
    advice: 'Sign in again: what is on this page stays, and nothing is sent again by itself.',
  },
  'signed-in-again': { title: 'You are signed in again', advice: 'Nothing was sent meanwhile. Try again.' },
  'another-user': { title: 'Somebody else is signed in here now', advice: 'Nothing was done. Open a fresh page.' },
  'step-up': { title: 'This needs your password', advice: 'Nothing was done. Try again and confirm that it is you.' },
  forbidden: { title: 'Your role does not allow this', advice: 'Ask an admin of this desk for it.' },
  'owner-signed-out': {
    title: 'The service is asked with your own sign-in',
    advice: 'Then try again.',
  },
  'upstream-credential': {
    title: 'The service does not accept the desk’s credential',
    advice: 'Whoever runs this desk must look at its settings. Nothing is wrong with your sign-in.',
  },
  'desk-unreachable': {
    title: 'The desk cannot be reached',
    advice: 'Check the connection of this computer and try again.',
  },
  'desk-timeout': { title: 'The desk did not answer in time', advice: 'Try again.' },
  'desk-bad-reply': {
    title: 'The reply could not be read',
    advice: 'Something between you and the desk may have changed it. Try again.',
  },
  'outcome-unknown': {
    title: 'It is not known whether this was done',
    advice: 'Look before you ask again.',
  },
  'store-unavailable': {
    title: 'The desk’s own store is not available',
    advice: 'Try again in a moment.',
  },
  internal: {
    title: 'Something went wrong here',
    advice: 'If it happens again, give the number below to whoever runs this desk.',
  },
  'upstream-unreachable': {
    title: 'The service cannot be reached',
    advice: 'Try again in a moment.',
  },
  'upstream-timeout': {
    title: 'The service did not answer in time',
    advice: 'Try again in a moment.',
  },
  page: { title: 'Something went wrong on this page', advice: 'Try again. If it stays, load the page anew.' },
}

/** By its kind, where the code says nothing. */
export const kinds = {
  refused: { title: 'This was refused', advice: 'Nothing was changed.' },
  'slow-down': { title: 'Too many requests', advice: 'Nothing is lost. Wait a moment and try again.' },
  unreachable: { title: 'Nothing answered', advice: 'Try again in a moment.' },
  broken: { title: 'That did not work', advice: '' },
}
export const noSuch = (kind: string) => `No such ${kind}`
export const onlyAnAdmin = (what: string) => `Only an admin of this desk may ${what}.`
export const tryAgainInAMoment = 'Try again in a moment.'
export const serviceSaid = 'The service said:'
export const request = 'Request'
export const signInAgain = 'Sign in again'
export const signInThroughTheProvider = 'Sign in through the provider'
export const waitS = (left: number) => `Wait ${left} s`
export const inS = (left: number) => `in ${left} s`
export const thisCannotBeAnId = 'This cannot be an id or a handle that the service can be asked for.'
export const serviceHasNo = (kind: string) => `The service has no ${kind} of this id or handle.`
export const yourRoleDoesNotAllow = 'Your role does not allow this'
export const nothingHere = 'Nothing here'
export const addressMayBeMistyped = 'The address may be mistyped, or what stood here is gone.'
