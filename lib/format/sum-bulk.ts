import type { BulkMode, BulkSum } from '@/lib/contract/bulk'
import { readMillionths, writeMillionths } from './sum-amounts'

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
export function sumBulk(payments: Iterable<Summand>): BulkSum[] {
  const groups = new Map<string, { mode: BulkMode; currency: string | null; count: number; sum: bigint | null }>()
  for (const { amount, currency, test } of payments) {
    const mode = readMode(test)
    const key = JSON.stringify([mode, currency])
    const group = groups.get(key) ?? { mode, currency, count: 0, sum: 0n }
    const millionths = readMillionths(amount)
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
    .map((group) => ({ ...group, sum: group.sum === null ? null : writeMillionths(group.sum) }))
}
