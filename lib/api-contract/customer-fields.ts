import * as m from '../messages/m'

/** The writable fields of a customer (docs/upstream-api.md, section 2, Customer input) with their form labels. Zod-free. */
export const customerFields = [
  { name: 'name', label: m.customerFields_name },
  { name: 'number', label: m.customerFields_number },
  { name: 'addressLine1', label: m.customerFields_addressLine1 },
  { name: 'addressLine2', label: m.customerFields_addressLine2 },
  { name: 'postalCode', label: m.customerFields_postalCode },
  { name: 'city', label: m.customerFields_city },
  { name: 'country', label: m.customerFields_country, hint: m.customerFields_countryHint },
] as const

export type CustomerField = (typeof customerFields)[number]['name']

/** A customer as typed into a form; empty fields are ''. */
export type TypedCustomer = Record<CustomerField, string>
