/*
 * What the list of mandates says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const mandates = 'Mandates'
export const handle = 'Handle'
export const state = 'State'
export const scheme = 'Scheme'
export const customer = 'Customer'
export const customerNumber = 'Customer number'
export const mandateId = 'Mandate id'
export const mandateIdLabel = 'mandate id'
export const search = 'Search'
export const handleCustomerOrNumber = 'Handle, customer or number'
export const created = 'Created'
export const active = 'Active'
export const noMandatesYet = 'No mandates yet'
export const mandateAppearsHereOnce = 'A mandate appears here once a customer has given one.'
