import { addDays } from '@/lib/api-contract/business-days'
import type { Filter } from '@/lib/api-contract/filter'
import {
  DAYS_AHEAD,
  DAYS_BACK,
  type DayTally,
  type FigureFilters,
  listMonthsBack,
  type OverviewFigures,
  type PeriodTally,
  type Tally,
} from '@/lib/domain/overview'
import type { Closing } from '@/lib/domain/cancellations/closing-filter'
import { makeDayFilter } from '@/lib/domain/lists/day-filter'
import { matchesFilter } from '@/lib/domain/lists/row-matching'
import type { Payment } from '@/lib/api-contract/payments'
import { dayInZone, parseBusinessDay } from '@/lib/domain/dates/date'
import { idKey } from '@/lib/domain/ids'
import { parseMillionths, formatMillionths } from '@/lib/domain/amounts/amount-sums'
import { normalizeState, classifyState, type LedgerRules } from '../cancellations/ledger'

type RunningTally = { count: number; sum: bigint }

type TotalName = 'later' | 'overdue' | 'rejected' | 'chargebacks' | 'rejectedLately' | 'chargebacksLately' | 'closing'

type Group = {
  mode: OverviewFigures['mode']
  currency: string | null
  days: Map<string, RunningTally>
  /** Those of the days that can't be cancelled any more. */
  sentDays: Map<string, RunningTally>
  months: Map<string, RunningTally>
  totals: Record<TotalName, RunningTally>
  unreadAmounts: number
  states: Record<keyof FigureFilters['states'], Set<string>>
  debitedBy: Set<NonNullable<FigureFilters['debitedBy']>>
  settledBy: Set<NonNullable<FigureFilters['settledBy']>>
  failedBy: Set<NonNullable<FigureFilters['failedBy']>>
  hasUndated: boolean
}

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

/** The days that are shown individually, or the months, in order. */
function formatPeriods(tallies: Map<string, RunningTally>): PeriodTally[] {
  return [...tallies]
    .map(([at, tally]) => ({ at, ...formatTally(tally) }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
}

function formatDays({ days, sentDays }: Group): DayTally[] {
  return formatPeriods(days).map((day) => ({ ...day, sent: formatTally(sentDays.get(day.at) ?? emptyTally()) }))
}

function formatFilters({ states, debitedBy, settledBy, failedBy, hasUndated }: Group): FigureFilters {
  const [debited = null, otherDebited] = debitedBy
  const [settled = null, otherSettled] = settledBy
  const [failed = 'modified', otherFailed] = failedBy
  return {
    states: {
      open: [...states.open],
      settled: [...states.settled],
      rejected: [...states.rejected],
      chargebacks: [...states.chargebacks],
    },
    debitedBy: otherDebited ? null : debited,
    settledBy: otherSettled ? null : settled,
    failedBy: otherFailed ? null : failed,
    hasUndated,
  }
}

/**
 * Counts payments for the overview, by mode and currency. `zone` is that of business dates. The names "settled",
 * "rejected" and "chargeback" come from decision 0002, in any case; the API contract defines none.
 */
export class PaymentTally {
  counted = 0
  /** Whether a payment came again on a later page: the list moved, and another may have been passed over. */
  hasMoved = false
  readonly #groups = new Map<string, Group>()
  /** The states of the counted payments by `idKey`. */
  readonly #seen = new Map<string, string>()
  readonly #states = new Map<string, number>()
  readonly #today: string
  readonly #firstMonth: string
  readonly #lately: Filter

  constructor(
    private readonly rules: LedgerRules,
    private readonly zone: string,
    now: Date,
    private readonly closing: Closing | null,
  ) {
    this.#today = dayInZone(now.getTime(), zone)
    this.#firstMonth = listMonthsBack(this.#today)[0] ?? this.#today
    const days = { from: addDays(this.#today, 1 - DAYS_BACK), to: null }
    this.#lately = makeDayFilter('modifiedAt', days, zone)
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
      rejectedLately: emptyTally(),
      chargebacksLately: emptyTally(),
      closing: emptyTally(),
    }
    const made: Group = {
      mode,
      currency,
      days: new Map(),
      sentDays: new Map(),
      months: new Map(),
      totals,
      unreadAmounts: 0,
      states: { open: new Set(), settled: new Set(), rejected: new Set(), chargebacks: new Set() },
      debitedBy: new Set(),
      settledBy: new Set(),
      failedBy: new Set(),
      hasUndated: false,
    }
    this.#groups.set(key, made)
    return made
  }

  #addOpen(group: Group, payment: Payment, amount: bigint | null, isCancellable: boolean): void {
    const { days, sentDays, totals } = group
    const paid = parseBusinessDay(payment.paymentDate, this.zone)
    const debited = paid ?? parseBusinessDay(payment.scheduleDate, this.zone)
    group.states.open.add(payment.status ?? '')
    if (this.closing && matchesFilter(this.closing.filter, payment)) addAmount(totals.closing, amount)
    if (debited === null) {
      group.hasUndated = true
      return addAmount(totals.later, amount)
    }
    group.debitedBy.add(paid === null ? 'scheduled' : 'payment')
    if (debited >= addDays(this.#today, DAYS_AHEAD)) return addAmount(totals.later, amount)
    if (debited < this.#today) return addAmount(totals.overdue, amount)
    addAmount(tallyAt(days, debited), amount)
    if (!isCancellable) addAmount(tallyAt(sentDays, debited), amount)
  }

  /** Whether a payment failed in the last days, or may have: a chargeback comes weeks after the payment's own day. */
  #isRecent({ failedBy }: Group, payment: Payment): boolean {
    const isDated = parseBusinessDay(payment.modifiedAt, this.zone) !== null
    failedBy.add(isDated ? 'modified' : 'nothing')
    return !isDated || matchesFilter(this.#lately, payment)
  }

  #addEnded(group: Group, payment: Payment, amount: bigint | null): void {
    const { months, totals, states, settledBy } = group
    const state = normalizeState(payment.status)
    if (state === 'rejected') {
      states.rejected.add(payment.status ?? '')
      addAmount(totals.rejected, amount)
      if (this.#isRecent(group, payment)) addAmount(totals.rejectedLately, amount)
    }
    if (state === 'chargeback') {
      states.chargebacks.add(payment.status ?? '')
      addAmount(totals.chargebacks, amount)
      if (this.#isRecent(group, payment)) addAmount(totals.chargebacksLately, amount)
    }
    if (state !== 'settled') return
    const settled = parseBusinessDay(payment.settlementDate, this.zone)
    const day = settled ?? parseBusinessDay(payment.paymentDate, this.zone)
    states.settled.add(payment.status ?? '')
    if (day === null) return
    settledBy.add(settled === null ? 'payment' : 'settled')
    if (day.slice(0, 7) >= this.#firstMonth) addAmount(tallyAt(months, day.slice(0, 7)), amount)
  }

  /** Counts the payments of a page that were not counted before. Those without an id cannot be recognised and always count. */
  add(payments: readonly Payment[]): void {
    const onPage = new Set<string>()
    for (const payment of payments) {
      const key = payment.id === null ? null : idKey(payment.id)
      if (key !== null && this.#seen.has(key)) {
        // Twice on one page is no movement.
        this.hasMoved ||= !onPage.has(key)
        continue
      }
      const state = normalizeState(payment.status)
      if (key !== null) {
        this.#seen.set(key, state)
        onPage.add(key)
      }
      this.counted += 1
      this.#states.set(state, (this.#states.get(state) ?? 0) + 1)
      const group = this.#groupOf(payment)
      const amount = parseMillionths(payment.amount)
      if (amount === null) group.unreadAmounts += 1
      const judged = classifyState(payment.status, this.rules)
      if (judged === 'final') this.#addEnded(group, payment, amount)
      else if (judged !== 'cancelled') this.#addOpen(group, payment, amount, judged === 'cancellable')
    }
  }

  /**
   * How many of the counted payments are in each state, in lower case. `now`: payments by `idKey` of which a later state
   * is known; those that were not counted are left out.
   */
  countStates(now: ReadonlyMap<string, string>): Record<string, number> {
    const counts = new Map(this.#states)
    for (const [key, state] of now) {
      const before = this.#seen.get(key)
      if (before === undefined) continue
      counts.set(before, (counts.get(before) ?? 0) - 1)
      counts.set(state, (counts.get(state) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  }

  figures(): OverviewFigures[] {
    return [...this.#groups.values()].map((group) => ({
      mode: group.mode,
      currency: group.currency,
      toCome: formatDays(group),
      settled: formatPeriods(group.months),
      later: formatTally(group.totals.later),
      overdue: formatTally(group.totals.overdue),
      rejected: formatTally(group.totals.rejected),
      chargebacks: formatTally(group.totals.chargebacks),
      lately: {
        rejected: formatTally(group.totals.rejectedLately),
        chargebacks: formatTally(group.totals.chargebacksLately),
      },
      closing: formatTally(group.totals.closing),
      unreadAmounts: group.unreadAmounts,
      filters: formatFilters(group),
    }))
  }
}
