/*
 * What signing in says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const signIn = 'Sign in'
export const tryingItOutTheDemo = 'Trying it out? The demo sign-ins stand in the terminal that started the desk.'
export const orWithAPassword = 'or with a password of this desk'
export const debitdeskNeedsJavascriptToSign = 'Debitdesk needs JavaScript to sign you in.'
export const email = 'Email'
export const password = 'Password'
export const knowsYouButGivesYou = (name: string) =>
  `${name} knows you, but gives you no role on this desk. Ask whoever runs it for one.`
export const yourAccountOnThisDesk = 'Your account on this desk is disabled. Ask whoever runs it.'
export const signingInWithDidNot = (name: string) => `Signing in with ${name} did not work. Try again.`
export const setYourPassword = 'Set your password'
export const debitdeskNeedsJavascriptForThis = 'Debitdesk needs JavaScript for this.'
export const thisLinkDoesNotHold = 'This link is no longer valid.'
export const itWorksOnce =
  'A link works once, for a limited time, and until a newer one is made. If you have set your password already, sign in; otherwise ask an admin of your desk for a new link.'
export const passwordOf = 'The password of'
export const isSet = 'is set.'
export const goToSignIn = 'Go to sign in'
export const youHaveBeenInvitedChoose = 'You have been invited. Choose a password to sign in with.'
export const chooseANewPasswordWherever = 'Choose a new password. Wherever you are signed in, you will be signed out.'
export const setPassword = 'Set password'
export const debitdesk = 'Debitdesk'
export const passwordLabel = (message: string) => `The password ${message}.`
export const atLeastCharactersAny = 'At least 8 characters, of any kind. Length matters more than symbols.'
export const newPassword = 'New password'
export const hide = 'Hide'
export const show = 'Show'
export const cannotBeReachedJustNow = (name: string) => `${name} cannot be reached just now. Try again in a moment.`
export const signInWith = (name: string) => `Sign in with ${name}`
export const deskCannotBeReachedCheck = 'The desk cannot be reached. Check the connection and try again.'
export const tooManyAttemptsTryAgain = 'Too many attempts. Try again in a few minutes.'
export const minute = 'a minute'
export const minutes = (minutes: number) => `${minutes} minutes`
export const tooManyAttemptsTryAgainIn = (minutes: string) => `Too many attempts. Try again in ${minutes}.`
export const signingInNeedsCookiesAllow = 'Signing in needs cookies: allow them for this address and try again.'
export const emailOrPasswordIsNot = 'Email or password is not right.'
export const thisPageWasOpenedUnder = 'This page was opened under another address than the desk’s own.'
export const thatIsTooLong = 'That is too long for a password.'
export const signingInDoesNotWork = 'Signing in does not work just now. Try again in a moment.'
export const youAreSignedIn = 'You are signed in'
/** Parts of one sentence, between which the e-mail address stands. */
export const signedInAs = {
  before: 'As ',
  after: '. Go back to the tab that asked for it: everything there is as you left it. This tab can be closed.',
}
export const goOnHere = 'Or go on here'
