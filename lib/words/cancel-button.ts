/*
 * What the button that cancels a payment says, and why it cannot be used. One constant or function per text; what
 * loads together stands together, for a page that carries one text of a module carries them all. A translation is
 * another module with the same names.
 */

export const cancelPayment = 'Cancel payment'
export const noId = 'The service gave this payment no id.'
export const alreadyOpen = 'A cancellation is already on its way.'
export const isCancelled = 'This payment is cancelled.'
export const noState = 'The service did not say which state this payment is in.'
export const notInState = (state: string) => `A payment in the state ${state} cannot be cancelled.`
