import { idKey, isUuid } from '@/lib/domain/ids'
import { parseMillionths, formatMillionths } from '../amount-sums'
import { truncate } from '../visible-text'
import type { BulkMode, BulkSum } from './bulk-cancellation'
import * as words from '@/lib/words/payment-selection'

/** The text whose SHA-256 stands for a list of payments: their ids (UUIDs in small letters), sorted by code unit, one a line. */
export function canonicalIdList(paymentIds: readonly string[]): string {
  return paymentIds
    .map(idKey)
    .toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
    .join('\n')
}

/** What of a payment is added up. */
export type Summand = { amount: number | string | null; currency: string | null; test: boolean | null }

const order: readonly BulkMode[] = ['live', 'test', 'unsaid']

function readMode(test: boolean | null): BulkMode {
  if (test === null) return 'unsaid'
  return test ? 'test' : 'live'
}

/**
 * Counts and adds up payments per currency, live apart from test, exactly. In one order: live first, then by
 * currency. A sum that holds an amount which cannot be read exactly is null.
 */
export function sumPayments(payments: Iterable<Summand>): BulkSum[] {
  const groups = new Map<string, { mode: BulkMode; currency: string | null; count: number; sum: bigint | null }>()
  for (const { amount, currency, test } of payments) {
    const mode = readMode(test)
    const key = JSON.stringify([mode, currency])
    const group = groups.get(key) ?? { mode, currency, count: 0, sum: 0n }
    const millionths = parseMillionths(amount)
    group.count += 1
    group.sum = group.sum === null || millionths === null ? null : group.sum + millionths
    groups.set(key, group)
  }
  return [...groups.values()]
    .toSorted((one, other) => {
      const byMode = order.indexOf(one.mode) - order.indexOf(other.mode)
      if (byMode !== 0) return byMode
      return (one.currency ?? '') < (other.currency ?? '') ? -1 : 1
    })
    .map((group) => ({ ...group, sum: group.sum === null ? null : formatMillionths(group.sum) }))
}

/** A UUID says enough by its first part, any other name by its first 30 letters. */
function shortenName(name: string): string {
  return truncate(name, isUuid(name) ? 8 : 30)
}

/**
 * What a list of payments is called by: the first two names that are more than spaces, shortened, and how many more it
 * has, as `write` writes counts. Empty where no payment has a name.
 */
export function formatPaymentNames(names: readonly string[], write: (count: number) => string): string {
  const shown: string[] = []
  for (const name of names) {
    if (shown.length === 2) break
    if (name.trim() !== '') shown.push(shortenName(name.trim()))
  }
  const others = names.length - shown.length
  return others > 0 && shown.length > 0 ? words.andMore(shown.join(', '), write(others)) : shown.join(words.and)
}
