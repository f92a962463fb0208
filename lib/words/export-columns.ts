/*
 * What the columns of an exported list are called. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const amount = 'Amount'
export const paymentId = 'Payment id'
export const handle = 'Handle'
export const reference = 'Reference'
export const description = 'Description'
export const state = 'State'
export const liveOrTest = 'Live or test'
export const scheduleDate = 'Schedule date'
export const paymentDate = 'Payment date'
export const settlementDate = 'Settlement date'
export const created = 'Created'
export const modified = 'Modified'
export const customerId = 'Customer id'
export const customer = 'Customer'
export const mandateId = 'Mandate id'
export const mandateHandle = 'Mandate handle'
export const scheme = 'Scheme'
export const name = 'Name'
export const number = 'Number'
export const mandates = 'Mandates'
export const customerHandle = 'Customer handle'
export const customerNumber = 'Customer number'
export const schemeData = 'Scheme data'
