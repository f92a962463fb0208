import { addDays } from '@/lib/api-contract/business-days'
import type { OverviewFigures, Tally } from '@/lib/domain/overview'
import type { Payment } from '@/lib/api-contract/payments'
import { dayInZone, parseBusinessDay } from '@/lib/domain/date'
import { parseMillionths, formatMillionths } from '@/lib/domain/amount-sums'
import { normalizeState, classifyState, type LedgerRules } from '../cancellations/ledger'

type RunningTally = { count: number; sum: bigint }

type Group = {
  mode: OverviewFigures['mode']
  currency: string | null
  days: Map<string, RunningTally>
  months: Map<string, RunningTally>
  totals: Record<'later' | 'overdue' | 'rejected' | 'chargebacks' | 'closingSoon', RunningTally>
  unreadAmounts: number
}

/** Number of days that are shown individually. */
const DAYS_AHEAD = 28
const MONTHS_BACK = 12
const CLOSING_SOON_DAYS = 2

const emptyTally = (): RunningTally => ({ count: 0, sum: 0n })
const formatTally = ({ count, sum }: RunningTally): Tally => ({ count, sum: formatMillionths(sum) })

function addAmount(tally: RunningTally, amount: bigint | null): void {
  tally.count += 1
  tally.sum += amount ?? 0n
}

function tallyAt(tallies: Map<string, RunningTally>, at: string): RunningTally {
  const tally = tallies.get(at) ?? emptyTally()
  tallies.set(at, tally)
  return tally
}

function formatSpans(tallies: Map<string, RunningTally>): OverviewFigures['toCome'] {
  return [...tallies]
    .map(([at, tally]) => ({ at, ...formatTally(tally) }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
}

/**
 * Counts payments for the overview, by mode and currency. `zone` is that of business dates. The names "settled",
 * "rejected" and "chargeback" come from decision 0002, in any case; the API contract defines none.
 */
export class PaymentTally {
  counted = 0
  readonly #groups = new Map<string, Group>()
  readonly #seen = new Set<string>()
  readonly #today: string

  constructor(
    private readonly rules: LedgerRules,
    private readonly zone: string,
    now: Date,
  ) {
    this.#today = dayInZone(now.getTime(), zone)
  }

  #groupOf({ test, currency }: Payment): Group {
    const mode = test === null ? 'unsaid' : test ? 'test' : 'live'
    const key = `${mode} ${currency ?? ''}`
    const known = this.#groups.get(key)
    if (known) return known
    const totals = {
      later: emptyTally(),
      overdue: emptyTally(),
      rejected: emptyTally(),
      chargebacks: emptyTally(),
      closingSoon: emptyTally(),
    }
    const made = { mode, currency, days: new Map(), months: new Map(), totals, unreadAmounts: 0 } as const
    this.#groups.set(key, made)
    return made
  }

  #addOpen({ days, totals }: Group, payment: Payment, amount: bigint | null, isCancellable: boolean): void {
    const debited =
      parseBusinessDay(payment.paymentDate, this.zone) ?? parseBusinessDay(payment.scheduleDate, this.zone)
    const closes = parseBusinessDay(payment.scheduleDate, this.zone)
    if (isCancellable && closes !== null && closes >= this.#today && closes <= addDays(this.#today, CLOSING_SOON_DAYS))
      addAmount(totals.closingSoon, amount)
    if (debited === null || debited > addDays(this.#today, DAYS_AHEAD)) addAmount(totals.later, amount)
    else if (debited < this.#today) addAmount(totals.overdue, amount)
    else addAmount(tallyAt(days, debited), amount)
  }

  #addEnded({ months, totals }: Group, payment: Payment, amount: bigint | null): void {
    const state = normalizeState(payment.status)
    if (state === 'rejected') addAmount(totals.rejected, amount)
    if (state === 'chargeback') addAmount(totals.chargebacks, amount)
    if (state !== 'settled') return
    const day = parseBusinessDay(payment.settlementDate, this.zone) ?? parseBusinessDay(payment.paymentDate, this.zone)
    if (day !== null && day.slice(0, 7) > addDays(this.#today, -31 * MONTHS_BACK).slice(0, 7))
      addAmount(tallyAt(months, day.slice(0, 7)), amount)
  }

  /** Counts payments not counted before. Those without an id cannot be recognised and always count. */
  add(payments: readonly Payment[]): void {
    for (const payment of payments) {
      if (payment.id !== null && this.#seen.has(payment.id)) continue
      if (payment.id !== null) this.#seen.add(payment.id)
      this.counted += 1
      const group = this.#groupOf(payment)
      const amount = parseMillionths(payment.amount)
      if (amount === null) group.unreadAmounts += 1
      const judged = classifyState(payment.status, this.rules)
      if (judged === 'final') this.#addEnded(group, payment, amount)
      else if (judged !== 'cancelled') this.#addOpen(group, payment, amount, judged === 'cancellable')
    }
  }

  figures(): OverviewFigures[] {
    return [...this.#groups.values()].map(({ mode, currency, days, months, totals, unreadAmounts }) => ({
      mode,
      currency,
      toCome: formatSpans(days),
      settled: formatSpans(months),
      later: formatTally(totals.later),
      overdue: formatTally(totals.overdue),
      rejected: formatTally(totals.rejected),
      chargebacks: formatTally(totals.chargebacks),
      closingSoon: formatTally(totals.closingSoon),
      unreadAmounts,
    }))
  }
}
