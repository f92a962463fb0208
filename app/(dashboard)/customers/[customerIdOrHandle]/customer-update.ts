import type { Customer } from '@/lib/api-contract/customers'
import { listOmissions } from '@/lib/api-contract/record-fields'
import { type CustomerField, customerFields, type TypedCustomer } from '@/lib/api-contract/customer-fields'

/** The fields that the service said, as text. One that it did not say is missing. */
export type CustomerValues = Partial<TypedCustomer>

/** Reads from a customer's record what a form can change. */
export function toCustomerValues(record: Customer): CustomerValues {
  const pairs = customerFields.flatMap(({ name }) => {
    const value = record[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  return Object.fromEntries(pairs)
}

/** The same without what was damaged on the way: it must not be sent back as if the customer had it so. */
export function toIntactValues(record: Customer): CustomerValues {
  const damaged = listOmissions(record).map(({ field }) => field)
  const intact = Object.entries(toCustomerValues(record)).filter(([name]) => !damaged.includes(name))
  return Object.fromEntries(intact)
}

type Plan = {
  /** The body of PUT /Customers/{customerIdOrHandle}. */
  body: CustomerValues
  /** Fields that the user changed and that somebody else has changed since the user saw them. */
  clashes: CustomerField[]
}

/**
 * Plans a change of a customer. The interface does not show the body of the PUT, nor whether a field that is
 * left out is kept or cleared (decision 0002). So the body holds what was typed and, for what was not touched, what
 * the service says right now: nothing is lost where the whole record is replaced, and nobody else's change
 * is undone. A field that was neither typed nor read is never sent, not even empty.
 *
 * `opened` is what the form began with, `seen` what the user was shown last, `now` a fresh read.
 */
export function planCustomerUpdate(
  typed: TypedCustomer,
  { opened, seen, now }: { opened: CustomerValues; seen: CustomerValues; now: CustomerValues },
): Plan {
  const plan: Plan = { body: {}, clashes: [] }
  for (const { name } of customerFields) {
    const value = typed[name]
    const isTouched = value !== (opened[name] ?? '')
    const sent = isTouched ? value : now[name]
    if (sent !== undefined) plan.body[name] = sent
    if (isTouched && now[name] !== seen[name] && now[name] !== value) plan.clashes.push(name)
  }
  return plan
}
