import { customerFields } from '@/lib/contract/customer-fields'
import { customerInput } from '@/lib/contract/customers'
import { moreCellsThanColumns } from '@/lib/words/customer-lines'

const labels: Record<string, string> = Object.fromEntries(customerFields.map(({ name, label }) => [name, label]))

type Line = { body: Readonly<Record<string, string>>; cells: number; columns: number }

/**
 * Why a line of a file cannot be a customer: more cells than the first line names, for then what stands in them has
 * moved, or the first flaw of each field. Null where it can.
 */
export function checkCustomerLine({ body, cells, columns }: Line): string | null {
  if (cells > columns) return moreCellsThanColumns(cells, columns)
  const read = customerInput.safeParse({ name: '', ...body })
  if (read.success) return null
  const flaws = read.error.issues
    .toReversed()
    .map(({ path, message }) => [path.map(String).join('.'), message] as const)
  return Object.entries(Object.fromEntries(flaws))
    .map(([field, message]) => `${labels[field] ?? field} ${message}`)
    .join('; ')
}
