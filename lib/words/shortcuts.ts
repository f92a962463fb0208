/*
 * The keys of the desk, and what each does. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const anywhere = 'Anywhere'
export const ctrlK = 'Ctrl K'
export const findAPageAnAction = 'Find a page, an action or a record'
export const ctrl = 'Ctrl /'
export const thisList = 'This list'
export const goToTheConfirmations = 'Go to the confirmations'
export const esc = 'Esc'
export const closeWhatIsOpen = 'Close what is open; the focus goes back to where it was'
export const inAList = 'In a list'
export const whileTheFocus = 'While the focus is on a row. Tab leads into the list and out of it.'
export const nextRow = 'Next row'
export const rowBeforeFromTheFirst = 'Row before; from the first one ↑ leads to the headers'
export const pageDown = 'Page Down'
export const pageUp = 'Page Up'
export const screenFurtherOrBack = 'A screen further or back'
export const firstRowLastRow = 'First row, last row that is loaded'
export const linksDatesAndButtons = 'The links, dates and buttons of a row; a date says its full moment'
export const openTheRow = 'Open the row'
export const space = 'Space'
export const tickTheRowWithShift = 'Tick the row; with Shift, all from the one ticked last'
export const tickWhileGoing = 'Tick while going'
export const copyTheIdCopy = 'Copy the id, copy the handle'
export const backToTheRow = 'Back to the row; on a row, take all ticks away'
export const inACancellation = 'In a cancellation'
export const newLineInTheReason = 'A new line in the reason'
export const ctrlEnter = 'Ctrl Enter'
export const cancelThePayment = 'Cancel the payment, with the reason as it stands'
export const keepThePayment = 'Keep the payment'
