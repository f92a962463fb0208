/*
 * What the page of one's own account says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const passwordChanged = 'Password changed'
export const yourOtherSignIns = 'Your other sign-ins have ended.'
export const changeYourPassword = 'Change your password'
export const currentPassword = 'Current password'
export const passwordIsNotRight = 'The password is not right.'
export const requestIsOnItsWay = 'The request is on its way.'
export const changePassword = 'Change password'
export const browser = 'A browser'
export const thisOne = 'This one'
export const fromSince = (peer: string) => `From ${peer} · since`
export const since = 'Since'
export const lastSeen = '· last seen'
export const end = (name: string) => `End ${name}`
export const endLabel = 'End'
export const whereYouAreSignedIn = 'Where you are signed in'
export const signInEndsAfterHalf = 'A sign-in ends after half an hour without a request, and after twelve hours.'
export const endAllOthers = 'End all others'
export const yourAccount = 'Your account'
