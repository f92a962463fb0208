/*
 * What the controls in the frame around every page say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const theme = 'Theme'
export const find = 'Find'
export const findKeys = 'Ctrl K'
export const notLoaded = 'It could not be loaded. Load the page anew.'
export const merchant = 'Merchant:'
export const merchants = 'Merchants'
export const signOut = 'Sign out'
export const youAreStillSigned = 'You are still signed in: the desk did not answer. Try again.'
export const signedOutElsewhere = 'You are signed out. Open the desk in another tab, sign in there, and come back.'
