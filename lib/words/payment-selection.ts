/*
 * What is said of the payments that are selected. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const selection = 'Selection'
export const countSelected = (count: number, written: string) =>
  `${written} ${count === 1 ? 'payment' : 'payments'} selected`
export const clearSelection = 'Clear selection'
export const takeMatching = 'Take all that match'
export const cancelSelected = 'Cancel selected'
export const and = ' and '
export const notLoaded = (count: number, written: string) =>
  `${written} selected ${count === 1 ? 'payment is' : 'payments are'} not loaded. Load more, or clear the selection.`
export const andMore = (names: string, written: string) => `${names} and ${written} more`
export const listOnItsWay = 'The list is on its way.'
export const atMost = (written: string) => `At most ${written} at once.`
export const allPayments = 'All payments'
