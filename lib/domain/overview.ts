/** Payments counted together: how many, and their sum as a plain decimal in the unit of the service's amounts. */
export type Tally = { count: number; sum: string }

/** One bar: a day such as `2026-11-20` or a month such as `2026-11`. */
export type PeriodTally = Tally & { at: string }

/** The figures of one mode and one currency; they are never added to others. `currency` is null where none was said. */
export type OverviewFigures = {
  mode: 'live' | 'test' | 'unsaid'
  currency: string | null
  /** Payments that have not ended, by the day on which the payer is debited; days without are missing. */
  toCome: PeriodTally[]
  /** What is to come later than the days above, or has no day. */
  later: Tally
  overdue: Tally
  /** Settled payments by month. */
  settled: PeriodTally[]
  rejected: Tally
  chargebacks: Tally
  /** May be cancelled, and planned for today or the next two days of the calendar. */
  closingSoon: Tally
  /** Payments of these whose amount could not be read: counted, and missing from the sums. */
  unreadAmounts: number
}

/** What was counted. `incomplete` says why the walk ended before the list did. */
export type Overview = {
  state: 'walking' | 'whole' | 'incomplete'
  why: 'bound' | 'time' | 'list' | 'unreadable' | 'failed' | null
  /** The code of the failure that ended it, where one did. */
  failure: string | null
  counted: number
  /** The most that a walk counts. */
  bound: number
  /** ISO 8601, UTC: when the walk began. */
  asOf: string
  figures: OverviewFigures[]
}
