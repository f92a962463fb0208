import { idKey, isUuid } from '@/lib/domain/ids'
import { parseMillionths, formatMillionths } from '../amounts/amount-sums'
import { truncate } from '../text/visible-text'
import type { BulkMode, BulkSum, PaymentNames } from './bulk-cancellation'

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

/** The first two non-blank names, and the number of other payments. */
export function pickPaymentNames(names: readonly string[]): PaymentNames {
  const first: string[] = []
  for (const name of names) {
    if (first.length === 2) break
    if (name.trim() !== '') first.push(name.trim())
  }
  return { first, others: names.length - first.length }
}

/** Names a list by its payments: “INV-1, INV-2 +11”, shortened. Empty when no payment has a name. */
export function formatPaymentNames({ first, others }: PaymentNames): string {
  const shown = first.map(shortenName).join(', ')
  return others > 0 && shown !== '' ? `${shown} +${others}` : shown
}
