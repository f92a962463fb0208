import type { Customer } from '@/lib/api-contract/customers'
import { listOmissions } from '@/lib/api-contract/record-fields'
import { type CustomerField, customerFields, type TypedCustomer } from '@/lib/api-contract/customer-fields'

/** A customer's fields as text; missing ones are absent. */
export type CustomerValues = Partial<TypedCustomer>

/** The editable fields of a customer's record. */
export function toCustomerValues(record: Customer): CustomerValues {
  const pairs = customerFields.flatMap(({ name }) => {
    const value = record[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  return Object.fromEntries(pairs)
}

/** The same without values that could not be read: they must not be sent back as if they were the customer's. */
export function toIntactValues(record: Customer): CustomerValues {
  const damaged = listOmissions(record).map(({ field }) => field)
  const intact = Object.entries(toCustomerValues(record)).filter(([name]) => !damaged.includes(name))
  return Object.fromEntries(intact)
}

type Plan = {
  /** The body of PUT /Customers/{customerIdOrHandle}. */
  body: CustomerValues
  /** Fields that the user changed and somebody else changed since the user saw them. */
  clashes: CustomerField[]
}

/**
 * Plans the update of a customer. The API does not document the body of the PUT, nor whether an omitted field is kept
 * or cleared (decision 0002). So the body holds the edited values and, for untouched fields, the current values of
 * the API: nothing is lost if the whole record is replaced, and nobody else's change is undone. A field neither
 * edited nor read is never sent, not even empty. Only an edited name loses its outer spaces. `opened` is what the form started with, `seen` what the user was
 * shown last, `now` a fresh read.
 */
export function planCustomerUpdate(
  typed: TypedCustomer,
  { opened, seen, now }: { opened: CustomerValues; seen: CustomerValues; now: CustomerValues },
): Plan {
  const plan: Plan = { body: {}, clashes: [] }
  for (const { name } of customerFields) {
    const isTouched = typed[name] !== (opened[name] ?? '')
    const value = name === 'name' ? typed[name].trim() : typed[name]
    const sent = isTouched ? value : now[name]
    if (sent !== undefined) plan.body[name] = sent
    if (isTouched && now[name] !== seen[name] && now[name] !== value) plan.clashes.push(name)
  }
  return plan
}
