/** Number of payments and their sum as a plain decimal in the service's unit. */
export type Tally = { count: number; sum: string }

/** A bar of a chart: `at` is a day such as `2026-11-20` or a month such as `2026-11`. */
export type PeriodTally = Tally & { at: string }

/** Those of a day, and how many of them can't be cancelled any more, as they are with the scheme. */
export type DayTally = PeriodTally & { sent: Tally }

/** What the list of payments must be filtered by to show exactly those that a figure counts. */
export type FigureFilters = {
  /** The states that occur, as the service spells them. */
  states: Record<'open' | 'settled' | 'rejected' | 'chargebacks', string[]>
  /** The date that all open payments of a day were counted by; null when it differs between them. */
  debitedBy: 'payment' | 'scheduled' | null
  /** The same for settled payments. */
  settledBy: 'settled' | 'payment' | null
  /** What rejections and chargebacks count as recent by: their last change, or nothing where none of them has it. Null when it differs. */
  failedBy: 'modified' | 'nothing' | null
  /** Whether open payments without a day are among the later ones. */
  hasUndated: boolean
}

/** The figures of one mode and one currency, which are never added to others. `currency` is null if not given. */
export type OverviewFigures = {
  mode: 'live' | 'test' | 'unsaid'
  currency: string | null
  /** Open payments by the day on which the payer is debited; days without payments are missing. */
  toCome: DayTally[]
  /** Open payments after the days above or without a day. */
  later: Tally
  overdue: Tally
  /** Settled payments by month. */
  settled: PeriodTally[]
  rejected: Tally
  chargebacks: Tally
  /** Those that changed in the last DAYS_BACK days, and those of which it isn't known. */
  lately: { rejected: Tally; chargebacks: Tally }
  /** Payments that close on the overview's `closing` day. */
  closing: Tally
  /** Payments with an unreadable amount: counted, but missing from the sums. */
  unreadAmounts: number
  filters: FigureFilters
}

/** The next day on which payments can be cancelled for the last time, by our estimate. */
export type ClosingDay = { day: string; isToday: boolean }

/** `why` says why counting ended before the list did, if `incomplete`. */
export type Overview = {
  state: 'walking' | 'whole' | 'incomplete'
  why: 'bound' | 'time' | 'list' | 'unreadable' | 'failed' | null
  /** The code of the error that ended it, if any. */
  failure: string | null
  counted: number
  /** Seconds until counting goes on, while the service asks to slow down; null otherwise. */
  resumesIn: number | null
  /** Maximum number of payments counted. */
  bound: number
  /** When counting began (ISO 8601, UTC). */
  asOf: string
  /** Today in the business zone, such as `2026-11-20`. */
  today: string
  closing: ClosingDay | null
  figures: OverviewFigures[]
}

/** Days that are shown individually. */
export const DAYS_AHEAD = 28

/** Days for which rejections and chargebacks need attention, today included. */
export const DAYS_BACK = 30

/** The last twelve months, such as `2026-11`, in order; that of `today` is the last. */
export function listMonthsBack(today: string): string[] {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  return Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(year, month - 12 + index, 1)).toISOString().slice(0, 7),
  )
}

/** How many payments are in each state, in lower case, and when they were counted (ISO); null where it isn't known. */
export type StateCounts = Readonly<{ states: Readonly<Record<string, number>>; asOf: string }> | null

/** How many payments close today; null when the service can't be asked for them alone and nothing was counted yet. */
export type ClosingCount = { count: number | null; isComplete: boolean }

/** The figures of one customer's payments, counted as for the overview. */
export type CustomerSummary = Pick<Overview, 'today' | 'figures' | 'counted'> & { isComplete: boolean }
