/*
 * What the page of one payment, and that of those that close today, say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const payment = 'Payment'
export const payments = 'Payments'
export const payerNotNamed = 'Payer not named'
export const cancellation = 'Cancellation'
export const closingToday = 'Closing today'
export const whatCanBeCancelledUntil = (today: string, zone: string) =>
  `What can be cancelled until a time on ${today} in ${zone}, as this desk estimates it: the service names no cut-off.`
export const closingTodayEstimate = 'Closing today (estimate)'
export const nothingClosesTodayNoCut = 'Nothing closes today: no cut-off falls on'
export const nextIsOnWhatCan = (day: string) =>
  `The next is on ${day}; what can be cancelled until then stands here already.`
export const noPaymentCloses = 'No payment closes'
export const noneIsPlannedSoThat = 'None that can still be cancelled has its last hours on that day.'
export const noneFallsOnTheNext = 'None falls on the next two weeks either.'
