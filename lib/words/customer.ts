/*
 * What the page of one customer says. One constant or function per text; what loads together stands together, for a
 * page that carries one text of a module carries them all. A translation is another module with the same names.
 */

export const toBeCollected = (live: string, test: string) =>
  `Payments still to be collected: ${live} live, ${test} test.`
export const toBeCollectedAtLeast = (live: string, test: string, count: number, looked: string) =>
  `Payments still to be collected: at least ${live} live, ${test} test, among the ${
    count === 1 ? 'one payment that was' : `${looked} payments that were`
  } looked at.`
export const liveMandates = (mandates: readonly string[]) =>
  `Live mandates: ${mandates.length === 0 ? 'none' : mandates.join(', ')}.`
export const liveMandate = (handle: string | null, scheme: string | null, state: string | null) =>
  `${handle || 'without a handle'} (${scheme || 'scheme not said'}, ${state || 'state not said'})`
export const liveMandatesNotSaid = 'Live mandates: the service did not say.'
export const mandates = 'Mandates'
export const serviceDidNotSay = 'The service did not say which mandates there are.'
export const noneNoPaymentCan = 'None: no payment can be collected yet.'
export const withoutAHandle = 'Without a handle'
export const schemeNotSaid = 'scheme not said'
export const customerWithoutAName = 'Customer without a name'
export const number = 'Number'
export const edit = 'Edit'
export const customer = 'Customer'
export const name = 'Name'
export const handle = 'Handle'
export const customerId = 'Customer id'
export const address = 'Address'
export const addressLine = 'Address line 1'
export const addressLineLabel = 'Address line 2'
export const postalCode = 'Postal code'
export const city = 'City'
export const country = 'Country'
export const dates = 'Dates'
export const created = 'Created'
export const modified = 'Modified'
export const deleteCustomer = 'Delete customer'
export const dialogCouldNotBeLoaded = 'The dialog could not be loaded. Load the page anew.'
export const paymentsStillToBeCollected = 'Payments still to be collected: being counted…'
export const paymentsStillToBeCollectedTheService = 'Payments still to be collected: the service could not be asked.'
export const customerDeleted = 'Customer deleted'
export const customerNumberOrHandle = 'Customer number or handle'
export const keepCustomer = 'Keep customer'
export const withoutAName = 'Without a name'
export const thisCannotBeTakenBack =
  'This cannot be taken back. Mandates and payments of the customer may be deleted too; the service may refuse while payments are still to be collected.'
export const customers = 'Customers'
