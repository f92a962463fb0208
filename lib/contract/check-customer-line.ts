import { customerFields } from './customer-fields'
import { customerInput } from './customers'

const labels: Record<string, string> = Object.fromEntries(customerFields.map(({ name, label }) => [name, label]))

/** Why a line of a file cannot be a customer, the first flaw of each field; null where it can. */
export function checkCustomerLine(body: Readonly<Record<string, string>>): string | null {
  const read = customerInput.safeParse({ name: '', ...body })
  if (read.success) return null
  const flaws = read.error.issues
    .toReversed()
    .map(({ path, message }) => [path.map(String).join('.'), message] as const)
  return Object.entries(Object.fromEntries(flaws))
    .map(([field, message]) => `${labels[field] ?? field} ${message}`)
    .join('; ')
}
