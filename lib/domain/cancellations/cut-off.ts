import { addDays, type BankCalendar, calendarOf, subtractBusinessDays } from '@/lib/api-contract/business-days'
import { dayInZone, formatClock, formatShortDay, formatWeekday, parseBusinessDay } from '../date'
import { timestampInZone } from '../time-zone'

/**
 * Until when payments of a scheme can be cancelled, as this desk's settings estimate it: the interface has
 * no cut-off. `scheme` `*` is for all others; `days` days of banking before the schedule date, at `time`.
 */
export type CutOffRule = { scheme: string; days: number; time: string; calendar: BankCalendar }

export type CutOffConfig = { rules: readonly CutOffRule[]; zone: string }

/** An estimate: the moment (ms since the epoch), and its day in the scheme's zone. */
export type CutOff = { at: number; day: string }

const pattern = /^(\*|[a-z0-9][a-z0-9-]{0,49})=(\d{1,2})@([01]\d|2[0-3]):([0-5]\d)(?:\/(target2|denmark))?$/u

/** Reads rules such as `nets-bs=8@16:00,sepa-core=1@11:00/target2,*=1@16:00`; null where they are not that. */
export function parseCutOffRules(text: string): CutOffRule[] | null {
  const rules = text.split(',').map((part) => {
    const [, scheme, days, hour, minute, calendar] = pattern.exec(part.trim().toLowerCase()) ?? []
    if (scheme === undefined) return null
    const named = calendar === 'target2' || calendar === 'denmark' ? calendar : calendarOf(scheme)
    return { scheme, days: Number(days), time: `${hour}:${minute}`, calendar: named }
  })
  const read = rules.filter((rule) => rule !== null)
  const schemes = new Set(read.map(({ scheme }) => scheme))
  return read.length === rules.length && schemes.size === read.length ? read : null
}

function findRule(scheme: string | null, rules: readonly CutOffRule[]): CutOffRule | null {
  const word = scheme?.trim().toLowerCase() ?? ''
  const own = rules.find((rule) => rule.scheme === word)
  const rest = rules.find((rule) => rule.scheme === '*')
  // The rule for all others follows the calendar of whichever scheme it is applied to.
  return own ?? (rest ? { ...rest, calendar: rest.calendar === 'denmark' ? calendarOf(word) : rest.calendar } : null)
}

/**
 * Estimates until when a payment can be cancelled, from its schedule date and its scheme; null where there
 * is no schedule date or no rule. Only the service knows: an estimate forbids nothing.
 */
export function estimateCutOff(
  { scheduleDate, scheme }: { scheduleDate: string | null; scheme: string | null },
  { rules, zone }: CutOffConfig,
): CutOff | null {
  const scheduled = parseBusinessDay(scheduleDate, zone)
  const rule = findRule(scheme, rules)
  if (scheduled === null || !rule) return null
  const day = subtractBusinessDays(scheduled, rule.days, rule.calendar)
  return { day, at: timestampInZone(day, rule.time, zone) }
}

/** Further than this ahead no schedule date closes today: holidays in a row are never so many. */
const horizon = 140

/** The schedule dates whose payments of a scheme close on `today`. */
export function listClosingDates(today: string, scheme: string | null, facts: CutOffConfig): string[] {
  const dates = Array.from({ length: horizon }, (_, ahead) => addDays(today, ahead))
  return dates.filter((date) => estimateCutOff({ scheduleDate: date, scheme }, facts)?.day === today)
}

/** The city of a zone, by which people know it: `Europe/Copenhagen` is Copenhagen. */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** An estimated cut-off for people, in the scheme's zone, which is named: "Tue 24 Nov, 16:00 Copenhagen". */
export function formatCutOff({ at }: CutOff, zone: string, locale: string): string {
  const day = dayInZone(at, zone)
  const date = `${formatWeekday(day, locale, 'short')} ${formatShortDay(day, locale)}`
  return `${date}, ${formatClock(at, zone, locale)} ${zoneCity(zone)}`
}

/** How an estimate stands to the present: past, closing today (in the scheme's zone), or later. */
export function classifyCutOff({ at, day }: CutOff, now: number, zone: string): 'past' | 'today' | 'later' {
  if (now >= at) return 'past'
  return dayInZone(now, zone) === day ? 'today' : 'later'
}
