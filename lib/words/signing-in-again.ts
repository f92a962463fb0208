/*
 * What signing in again, in the midst of work, says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const somebodyElseIsSigned = 'Somebody else is signed in here now'
export const thisPageBelongs = (email: string) =>
  `This page belongs to ${email}. In this browser somebody else has signed in since, so nothing can be done from it: it would be done in their name.`
export const stayOnThisPage = 'Stay on this page'
export const openAFreshPage = 'Open a fresh page'
export const youAreAbout = 'You are about to be signed out'
export const youAreSignedOut = 'You are signed out'
export const nothingHasBeenDone =
  'Nothing has been done here for almost half an hour. What is on this page stays as it is.'
export const signInLastsTwelveHours = 'A sign-in lasts twelve hours. What is on this page stays as it is.'
export const inS = (left: number) => `In ${left} s`
export const timeIsOver = 'The time is over.'
export const inSeconds = (left: number) => `In ${left} seconds`
export const notNow = 'Not now'
export const staySignedIn = 'Stay signed in'
export const signInAgain = 'Sign in again'
export const passwordIsNotRight = 'The password is not right.'
export const thatDoesNotWorkJust = 'That does not work just now. Try again in a moment.'
export const youHaveNotSigned = 'You have not signed in there again yet.'
export const youAreNotSigned = 'You are not signed in yet.'
export const confirmThatItIsYou = 'Confirm that it is you'
export const signInAgainToGo = 'Sign in again to go on'
export const thisNeedsYouToSign =
  'This needs you to sign in once more where your account comes from. It then counts for five minutes.'
export const yourSessionHasEnded =
  'Your session has ended. This page stays as it is, and nothing is sent again by itself.'
export const aNewSessionBegins =
  'This begins a new session of twelve hours. This page stays as it is, and nothing is sent again by itself.'
export const thisNeedsYourPasswordOnce = 'This needs your password once more. It then counts for five minutes.'
export const confirm = 'Confirm'
export const signIn = 'Sign in'
export const email = 'Email'
export const password = 'Password'
export const signInInAnotherTab = 'Sign in in another tab'
export const goOn = 'Continue'
