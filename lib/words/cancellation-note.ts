/*
 * What is said of a cancellation that was asked for, and what a person can do about it. One constant or function per
 * text; what loads together stands together, for a page that carries one text of a module carries them all. A
 * translation is another module with the same names.
 */

export const shownCancelled = 'The service has shown it as cancelled,'
export const checkedBy = 'Checked by'
export const handled = 'Handled'
export const by = 'by'
export const note = '. Note:'
export const requestedBy = 'Requested by'
export const reason = '. Reason:'
export const sayWhatYouFound = 'Say what you found and what you did. Your colleagues read it here.'
export const atMostCharactersTooMany = (reasonLimit: number, reasonLimit2: number) =>
  `At most ${reasonLimit} characters: ${reasonLimit2} too many.`
export const holdsCharactersThatCannot = 'Holds characters that cannot be stored.'
export const markedAsHandled = 'Marked as handled.'
export const checkingNow = 'Checking now.'
export const keptWithYourName = 'Kept with your name and the time. The outcome above stays as it is.'
export const noteLabel = 'Note'
export const itIsBeingKept = 'It is being kept'
export const markAsHandled = 'Mark as handled'
export const leaveAsItIs = 'Leave as it is'
export const paymentIsBeingRead = 'The payment is being read'
export const checking = 'Checking…'
export const checkAgain = 'Check again'
export const markAsHandledPart = 'Mark as handled…'
