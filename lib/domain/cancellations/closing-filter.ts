import { type Filter, joinFilters } from '@/lib/api-contract/filter'
import { addDays } from '@/lib/api-contract/business-days'
import { dayInZone } from '../dates/date'
import { type CutOffConfig, estimateCutOff, listClosingDates, listSchemes } from './cut-off'
import { makeDayFilter } from '../lists/day-filter'
import { isDocumentedState, spellState } from '../states'

/** Stands for the schemes that are not listed. */
const OTHERS = null

/** The schemes that close on a date: all, those that are named, or all but those that are named, so that nothing unforeseen is left out. */
function makeSchemeFilter(closing: readonly (string | null)[], schemes: readonly string[]): Filter | null {
  const areOthersClosing = closing.includes(OTHERS)
  const named = schemes.filter((scheme) => closing.includes(scheme) !== areOthersClosing)
  const comparison = areOthersClosing ? 'ne' : 'eq'
  return joinFilters(
    areOthersClosing ? 'and' : 'or',
    named.map((value): Filter => ({ kind: 'compare', field: 'mandate/scheme', comparison, value })),
  )
}

/** Matches the payments whose estimated cut-off is on `today`, whatever their state; null when there can be none. */
function makeDatesFilter(today: string, config: CutOffConfig): Filter | null {
  const schemes = listSchemes(config)
  // The dates of a scheme follow each other, for a later one never closes earlier.
  const closing = new Map<string, { from: string; to: string; schemes: (string | null)[] }>()
  for (const scheme of [...schemes, OTHERS]) {
    const dates = listClosingDates(today, scheme, config)
    const [from, to] = [dates.at(0), dates.at(-1)]
    if (from === undefined || to === undefined) continue
    const known = closing.get(`${from} ${to}`)?.schemes ?? []
    closing.set(`${from} ${to}`, { from, to, schemes: [...known, scheme] })
  }
  const ranges = [...closing.values()].map(({ schemes: closingSchemes, ...days }) =>
    joinFilters('and', [makeDayFilter('scheduleDate', days, config.zone), makeSchemeFilter(closingSchemes, schemes)]),
  )
  return joinFilters('or', ranges)
}

/** Matches the cancellable payments whose estimated cut-off is on `today`; null when there can be none. */
export function makeClosingFilter(today: string, cancellable: readonly string[], config: CutOffConfig): Filter | null {
  const dates = makeDatesFilter(today, config)
  if (dates === null || cancellable.length === 0) return null
  const states = cancellable.map(
    (state): Filter => ({ kind: 'compare', field: 'status', comparison: 'eq', value: spellState(state) }),
  )
  return joinFilters('and', [joinFilters('or', states), dates])
}

/**
 * The payments that close on a day. `asked` is what the service may filter: not by states whose spelling nobody knows, as it
 * may compare by case.
 */
export type Closing = { day: string; isToday: boolean; filter: Filter; asked: Filter }

const DAYS_AHEAD = 14

/** The time (ms) of the last cut-off on a day that has one. */
function findLastCutOff(day: string, config: CutOffConfig): number {
  const times = [...listSchemes(config), OTHERS].flatMap((scheme) =>
    listClosingDates(day, scheme, config)
      .slice(0, 1)
      .map((scheduleDate) => estimateCutOff({ scheduleDate, scheme }, config)?.at ?? 0),
  )
  return Math.max(0, ...times)
}

/** The payments that close next: today, or once today's last cut-off has passed, the next day that has one. */
export function findClosing(now: number, cancellable: readonly string[], config: CutOffConfig): Closing | null {
  const today = dayInZone(now, config.zone)
  if (cancellable.length === 0 || config.rules.length === 0) return null
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = addDays(today, ahead)
    const filter = makeClosingFilter(day, cancellable, config)
    const isOver = ahead === 0 && now >= findLastCutOff(day, config)
    if (!filter || isOver) continue
    const asked = cancellable.every(isDocumentedState) ? filter : makeDatesFilter(day, config)
    return { day, isToday: ahead === 0, filter, asked: asked ?? filter }
  }
  return null
}
