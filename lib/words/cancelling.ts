/*
 * What the desk says around cancelling a payment. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const cancellation = 'Cancellation'
export const canBeCancelled = 'This payment can be cancelled'
export const keepPayment = 'Keep payment'
export const close = 'Close'
export const checkAgain = 'Check again'
export const whatIsAsked =
  'The service is asked not to collect this payment. It counts as cancelled once the service shows it so.'
export const onItsWay = 'The request is on its way.'
export const asking = 'Asking the service…'
export const takesItsTime =
  'The service has not answered yet. You can close this: the desk goes on, and the payment tells what comes of it.'
export const waitFor = (seconds: number) => `Wait ${seconds} s`
export const reason = 'Reason'
export const reasonMissing = 'Say why. The service is told, and so is the activity log.'
export const reasonTooLong = (limit: number, over: number) => `At most ${limit} characters: ${over} too many.`
export const reasonUnfit = 'Holds characters that cannot be stored.'
export const reasonSent = 'Sent to the service as typed.'
/** Figure spaces fill it up to the digits of the limit: what counts as somebody types keeps its width. */
export const reasonLength = (length: number, limit: number) =>
  `${String(length).padStart(String(limit).length, '\u2007')} of ${limit}`
export const payerNotNamed = 'Payer not named'
export const toBeCollectedOn = 'To be collected on'
export const live = 'Live'
export const lost =
  'Nobody can say yet whether the request arrived. Check again: it is the same request, and is carried out once at most.'
export const lostLeft = (payment: string) => `Not known whether the request arrived: ${payment}`
export const lookBeforeAskingAgain =
  'Look at the payment before you ask again: it tells whether a cancellation is on its way.'
export const nothingSentLeft = (payment: string) => `Not cancelled: ${payment}`
export const nothingSent = 'Nothing was sent.'
export const lookAgain = 'Nothing was sent. Look again before you cancel it as it is now.'
export const notReadAgain = 'The payment could not be read again'
export const mayHaveChanged = 'It may have changed since you looked. Nothing was sent.'
export const allTheSame = 'Cancel it all the same, as I saw it'
export const tickFirst = 'Tick the box first: nobody knows the payment’s state.'
export const changed = 'The payment has changed since you looked'
export const changedField = 'Field'
export const youSaw = 'You saw'
export const isNow = 'It is now'
export const changedFields = {
  amount: 'Amount',
  currency: 'Currency',
  status: 'State',
  modifiedAt: 'Modified',
} as const
export const earlierNeedsPerson =
  'An earlier cancellation of this payment needs a person: look the payment up at the service before you ask again.'
export const endTaken = 'A cancellation of this payment is already on its way.'
export const endOpen = 'This cancellation is already on its way.'
export const endNeedsPerson = 'Somebody must look this payment up at the service first.'
export const endCancelled = 'This payment is cancelled already.'
export const endOther = 'This payment can no longer be cancelled.'
