/*
 * What the panel of a payment says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const payment = 'Payment'
export const openAsAPage = 'Open as a page'
export const payerNotNamed = 'Payer not named'
export const collection = 'Collection'
export const amount = 'Amount'
export const currency = 'Currency'
export const state = 'State'
export const mode = 'Mode'
export const live = 'Live'
export const description = 'Description'
export const reference = 'Reference'
export const dates = 'Dates'
export const daysIn = (schemeZone: string) => `days in ${schemeZone}`
export const scheduleDate = 'Schedule date'
export const paymentDate = 'Payment date'
export const settlementDate = 'Settlement date'
export const created = 'Created'
export const modified = 'Modified'
export const customer = 'Customer'
export const name = 'Name'
export const customerId = 'Customer id'
export const mandate = 'Mandate'
export const scheme = 'Scheme'
export const mandateHandle = 'Mandate handle'
export const mandateId = 'Mandate id'
export const identifiers = 'Identifiers'
export const paymentId = 'Payment id'
export const handle = 'Handle'
export const everythingElseTheServiceSaid = 'Everything else the service said'
