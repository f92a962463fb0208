import type { ExportSum } from '@/lib/contract/list-export'
import { readExactMoney } from '@/lib/format/exact-money'
import type { AmountUnit } from '@/lib/format/money'

type Summed = { amount?: unknown; currency?: unknown; test?: unknown }

function readAmount(amount: unknown): number | string | null {
  return typeof amount === 'number' || typeof amount === 'string' ? amount : null
}

/**
 * Adds rows to the sums per currency, live apart from test, in whole minor units without rounding. A sum
 * one of whose amounts cannot be read exactly is no number any more, and says so by null.
 */
export function addToSums(sums: readonly ExportSum[], rows: readonly object[], unit: AmountUnit): ExportSum[] {
  const totals = new Map(sums.map((sum) => [`${sum.mode} ${sum.currency}`, { ...sum }]))
  for (const one of rows) {
    if (!('amount' in one)) continue
    const row: Summed = one
    const currency = typeof row.currency === 'string' ? row.currency : ''
    const mode = row.test === true ? 'test' : row.test === false ? 'live' : 'not said'
    const key = `${mode} ${currency}`
    const sum: ExportSum = totals.get(key) ?? { currency, mode, count: 0, minor: '0' }
    const money = readExactMoney(readAmount(row.amount), currency, unit)
    sum.count += 1
    sum.minor = money && sum.minor !== null ? String(BigInt(sum.minor) + BigInt(money.minor)) : null
    totals.set(key, sum)
  }
  return [...totals.values()].toSorted(
    (left, right) => left.currency.localeCompare(right.currency, 'en') || left.mode.localeCompare(right.mode, 'en'),
  )
}
