/*
 * What the list of customers says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const customers = 'Customers'
export const importWord = 'Import'
export const newCustomer = 'New customer'
export const name = 'Name'
export const number = 'Number'
export const handle = 'Handle'
export const mandates = 'Mandates'
export const created = 'Created'
export const modified = 'Modified'
export const customerId = 'Customer id'
export const customerIdLabel = 'customer id'
export const search = 'Search'
export const nameNumberOrHandle = 'Name, number or handle'
export const noCustomersYet = 'No customers yet'
export const customersAppearHereOnce = 'Customers appear here once the service has some.'
