import type { Customer } from '@/lib/contract/customers'
import { readMoment } from '@/lib/contract/read-moment'
import type { KnownBefore } from '../store/import-schema'

/** A customer as the service lists it, with the id that names it. */
export type ListedCustomer = Customer & { id: string }

type Body = Readonly<Record<string, string>>

const normalize = (value: string) => value.normalize('NFC').trim()

/** The spelling by which customers are compared loosely. */
export const foldText = (value: string) => normalize(value).toLowerCase()

/** Whether a listed customer shows everything that was sent, as far as the list shows it; the name it must show. */
export function isExactly(customer: ListedCustomer, body: Body): boolean {
  if (customer.name === null) return false
  return Object.entries(body).every(([field, sent]) => {
    const shown = customer[field]
    // What is shown as something else than text cannot be compared.
    if (shown === '' || (typeof shown !== 'string' && typeof shown !== 'number')) return true
    return normalize(sent) === normalize(String(shown))
  })
}

/** Whether a person may want to see it: the same name in any case of letters, or the same number. */
export function isAlike({ name, number }: Pick<Customer, 'name' | 'number'>, body: Body): boolean {
  const isNamed = name !== null && foldText(name) === foldText(body['name'] ?? '')
  return isNamed || (number !== null && foldText(number) === foldText(body['number'] ?? ''))
}

/**
 * Whether a customer was there before a line was sent. Only the service's own clock is compared with itself: it is
 * `since` if it was not in a list that was read whole, or was created after everything that was listed then. Where the two
 * contradict each other, or nothing is known, nothing is proven.
 */
export function judgeAge(
  { id, createdAt }: ListedCustomer,
  before: KnownBefore | null,
): 'before' | 'since' | 'unproven' {
  if (!before) return 'unproven'
  if (before.ids.includes(id)) return 'before'
  const apart = readMoment(createdAt) - readMoment(before.newest)
  if (Number.isNaN(apart)) return before.whole ? 'since' : 'unproven'
  if (apart > 0) return 'since'
  return before.whole && apart === 0 ? 'since' : 'unproven'
}
