import { idKey, isUuid } from '@/lib/domain/ids'
import { parseMillionths, formatMillionths } from '../amounts/amount-sums'
import { truncate } from '../text/visible-text'
import type { BulkMode, BulkSum } from './bulk-cancellation'

/** The text whose SHA-256 identifies a list of payments: ids (UUIDs in lower case) sorted by code unit, one per line. */
export function canonicalIdList(paymentIds: readonly string[]): string {
  return paymentIds
    .map(idKey)
    .toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0))
    .join('\n')
}

/** The fields of a payment that totals are computed from. */
export type Summand = { amount: number | string | null; currency: string | null; test: boolean | null }

const modeOrder: readonly BulkMode[] = ['live', 'test', 'unsaid']

function toMode(test: boolean | null): BulkMode {
  if (test === null) return 'unsaid'
  return test ? 'test' : 'live'
}

/**
 * Exact totals per mode and currency, live first, then by currency. A sum is null if one of its amounts cannot be
 * parsed exactly.
 */
export function sumPayments(payments: Iterable<Summand>): BulkSum[] {
  const groups = new Map<string, { mode: BulkMode; currency: string | null; count: number; sum: bigint | null }>()
  for (const { amount, currency, test } of payments) {
    const mode = toMode(test)
    const key = JSON.stringify([mode, currency])
    const group = groups.get(key) ?? { mode, currency, count: 0, sum: 0n }
    const millionths = parseMillionths(amount)
    group.count += 1
    group.sum = group.sum === null || millionths === null ? null : group.sum + millionths
    groups.set(key, group)
  }
  return [...groups.values()]
    .toSorted((one, other) => {
      const byMode = modeOrder.indexOf(one.mode) - modeOrder.indexOf(other.mode)
      if (byMode !== 0) return byMode
      return (one.currency ?? '') < (other.currency ?? '') ? -1 : 1
    })
    .map((group) => ({ ...group, sum: group.sum === null ? null : formatMillionths(group.sum) }))
}

/** The first part of a UUID, the first 30 characters of any other name. */
function shortenName(name: string): string {
  return truncate(name, isUuid(name) ? 8 : 30)
}

/**
 * Names a list of payments by its first two non-blank names, shortened, and the number of others: “INV-1, INV-2 +11”.
 * Without words, because it is stored and read in any language. Empty when no payment has a name.
 */
export function formatPaymentNames(names: readonly string[]): string {
  const shown: string[] = []
  for (const name of names) {
    if (shown.length === 2) break
    if (name.trim() !== '') shown.push(shortenName(name.trim()))
  }
  const others = names.length - shown.length
  return others > 0 && shown.length > 0 ? `${shown.join(', ')} +${others}` : shown.join(', ')
}
