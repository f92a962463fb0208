import { joinChoices, joinRange } from '@/lib/domain/lists/filter-values'
import { addDays } from '@/lib/api-contract/business-days'
import type { Range } from '@/lib/domain/lists/day-presets'
import { DAYS_AHEAD, DAYS_BACK, type FigureFilters, type Overview, type OverviewFigures } from '@/lib/domain/overview'

type StateName = keyof FigureFilters['states']

/** The links of the figures of one mode and currency; null where no filter shows exactly what is counted. */
export type FigureLinks = {
  /** Open payments of a day or a range of days. */
  toCome: (days: Range) => string | null
  later: string | null
  overdue: string | null
  /** Settled payments of a month such as `2026-11`. */
  settled: (month: string) => string | null
  /** Those that count as recent. */
  rejected: string | null
  chargebacks: string | null
  closing: string | null
  /** All open payments, whatever their day. */
  open: string | null
  /** Settled payments from a month on. */
  settledSince: (month: string) => string | null
  /** Rejected ones and chargebacks, whatever their day. */
  failed: string | null
}

function lastDayOf(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10)
}

/** `scope` are further filter values that all links have, such as a customer. */
export function linkFigures(
  overview: Pick<Overview, 'today' | 'figures'>,
  figures: OverviewFigures,
  scope: Record<string, string> = {},
): FigureLinks {
  const { mode, currency, filters } = figures
  const isOnlyMode = overview.figures.every((other) => other.mode === mode)
  const isFilterable = currency !== null && (mode !== 'unsaid' || isOnlyMode)

  function link(path: string, values: Record<string, string>): string | null {
    if (!isFilterable) return null
    const query = new URLSearchParams({
      ...scope,
      ...values,
      currency: joinChoices([currency]),
      ...(mode !== 'unsaid' && { mode }),
    })
    return `${path}?${query.toString().replaceAll('%2C', ',')}`
  }
  function linkState(names: StateName | readonly StateName[], values: Record<string, string> = {}): string | null {
    const states = [names].flat().flatMap((name) => filters.states[name])
    const isNamed = states.length > 0 && states.every((one) => one.trim() !== '')
    return isNamed ? link('/payments', { state: joinChoices(states), ...values }) : null
  }
  const linkDays = (days: Range) =>
    filters.debitedBy === null ? null : linkState('open', { [filters.debitedBy]: joinRange(days) })

  const linkLately = (name: StateName) =>
    filters.failedBy === null
      ? null
      : linkState(
          name,
          filters.failedBy === 'nothing'
            ? {}
            : { modified: joinRange({ from: addDays(overview.today, 1 - DAYS_BACK), to: null }) },
        )

  return {
    toCome: linkDays,
    later: filters.hasUndated ? null : linkDays({ from: addDays(overview.today, DAYS_AHEAD), to: null }),
    overdue: linkDays({ from: null, to: addDays(overview.today, -1) }),
    settled: (month) =>
      filters.settledBy === null
        ? null
        : linkState('settled', { [filters.settledBy]: joinRange({ from: `${month}-01`, to: lastDayOf(month) }) }),
    rejected: linkLately('rejected'),
    chargebacks: linkLately('chargebacks'),
    closing: link('/payments/closing', {}),
    open: linkState('open'),
    settledSince: (month) =>
      filters.settledBy === null
        ? null
        : linkState('settled', { [filters.settledBy]: joinRange({ from: `${month}-01`, to: null }) }),
    failed: linkState(['rejected', 'chargebacks']),
  }
}
