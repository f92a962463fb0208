/*
 * What the page of one mandate says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const mandate = (id: string) => `Mandate ${id}`
export const mandateLabel = 'Mandate'
export const readOnlyAMandate =
  'Read-only: a mandate is the payer’s permission. It is given and ended with the scheme, not from this desk.'
export const state = 'State'
export const scheme = 'Scheme'
export const handle = 'Handle'
export const mandateId = 'Mandate id'
export const customer = 'Customer'
export const name = 'Name'
export const number = 'Number'
export const customerHandle = 'Customer handle'
export const customerId = 'Customer id'
export const mandates = 'Mandates'
