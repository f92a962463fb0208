/** Number of payments and their sum as a plain decimal in the service's unit. */
export type Tally = { count: number; sum: string }

/** A bar of a chart: `at` is a day such as `2026-11-20` or a month such as `2026-11`. */
export type PeriodTally = Tally & { at: string }

/** The figures of one mode and one currency, which are never added to others. `currency` is null if not given. */
export type OverviewFigures = {
  mode: 'live' | 'test' | 'unsaid'
  currency: string | null
  /** Open payments by the day on which the payer is debited; days without payments are missing. */
  toCome: PeriodTally[]
  /** Open payments after the days above or without a day. */
  later: Tally
  overdue: Tally
  /** Settled payments by month. */
  settled: PeriodTally[]
  rejected: Tally
  chargebacks: Tally
  /** Cancellable payments planned for today or the next two calendar days. */
  closingSoon: Tally
  /** Payments with an unreadable amount: counted, but missing from the sums. */
  unreadAmounts: number
}

/** `why` says why counting ended before the list did, if `incomplete`. */
export type Overview = {
  state: 'walking' | 'whole' | 'incomplete'
  why: 'bound' | 'time' | 'list' | 'unreadable' | 'failed' | null
  /** The code of the error that ended it, if any. */
  failure: string | null
  counted: number
  /** Maximum number of payments counted. */
  bound: number
  /** When counting began (ISO 8601, UTC). */
  asOf: string
  figures: OverviewFigures[]
}
