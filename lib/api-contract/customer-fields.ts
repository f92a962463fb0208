/** The writable fields of a customer (docs/upstream-api.md, section 2, Customer input) with their form labels. Zod-free. */
export const customerFields = [
  { name: 'name', label: 'Name' },
  { name: 'number', label: 'Number' },
  { name: 'addressLine1', label: 'Address line 1' },
  { name: 'addressLine2', label: 'Address line 2' },
  { name: 'postalCode', label: 'Postal code' },
  { name: 'city', label: 'City' },
  { name: 'country', label: 'Country', hint: 'Best as two letters (ISO 3166), such as DK. It is sent as you type it.' },
] as const

export type CustomerField = (typeof customerFields)[number]['name']

/** A customer as typed into a form; empty fields are ''. */
export type TypedCustomer = Record<CustomerField, string>
