import type { Payment } from '@/lib/api-contract/payments'
import { isDay, parseBusinessDay } from './dates/date'
import { formatMillionths, parseMillionths } from './amounts/amount-sums'

/** A range of days such as `2026-01-01`, both included. */
export type Period = { from: string; to: string }

/** A payment in a statement; `day` is when the payer is debited. */
export type StatementLine = { day: string; settledOn: string | null; payment: Payment }

/** A customer's payments in a period; `counted` were read, which are all if it is complete. */
export type Statement = { period: Period; today: string; lines: StatementLine[]; isComplete: boolean; counted: number }

/**
 * The sum of the payments of one state and currency, in the service's unit; `count` of them, `unreadAmounts` of which
 * are missing from the sum.
 */
export type StatementSum = {
  currency: string | null
  status: string | null
  count: number
  sum: string
  unreadAmounts: number
}

/** The period that a statement's address names, which may be none (`isPeriod`); an end that it doesn't name is that of this year. */
export function parsePeriod(from: string | undefined, to: string | undefined, today: string): Period {
  const year = today.slice(0, 4)
  return { from: from || `${year}-01-01`, to: to || `${year}-12-31` }
}

/** Whether both days of a period exist, and the first is not after the last. */
export function isPeriod({ from, to }: Period): boolean {
  return isDay(from) && isDay(to) && from <= to
}

/** The payments of a period by day, but those in test mode; a service may not say the mode. Those without a day are in none. */
export function listStatementLines(payments: readonly Payment[], { from, to }: Period, zone: string): StatementLine[] {
  return payments
    .filter(({ test }) => test !== true)
    .flatMap((payment) => {
      const day = parseBusinessDay(payment.paymentDate, zone) ?? parseBusinessDay(payment.scheduleDate, zone)
      if (day === null || day < from || day > to) return []
      return [{ day, settledOn: parseBusinessDay(payment.settlementDate, zone), payment }]
    })
    .toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
}

/** Sums by state and currency; amounts that can't be read are counted, but missing from the sums. */
export function sumStatement(lines: readonly StatementLine[]): StatementSum[] {
  const sums = new Map<string, Omit<StatementSum, 'sum'> & { sum: bigint }>()
  for (const { payment } of lines) {
    const { currency, status } = payment
    const key = JSON.stringify([currency, status])
    const known = sums.get(key) ?? { currency, status, count: 0, sum: 0n, unreadAmounts: 0 }
    const amount = parseMillionths(payment.amount)
    sums.set(key, {
      ...known,
      count: known.count + 1,
      sum: known.sum + (amount ?? 0n),
      unreadAmounts: known.unreadAmounts + (amount === null ? 1 : 0),
    })
  }
  return [...sums.values()].map(({ sum, ...rest }) => ({ ...rest, sum: formatMillionths(sum) }))
}
