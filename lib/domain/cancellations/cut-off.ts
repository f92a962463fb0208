import * as m from '@/lib/messages/m'
import { addDays, type BankCalendar, calendarOf, subtractBusinessDays } from '@/lib/api-contract/business-days'
import { knownSchemes } from '../agreements'
import { dayInZone, formatClock, formatShortDay, formatWeekday, parseBusinessDay } from '../dates/date'
import { timestampInZone } from '../dates/time-zone'

/**
 * This desk's estimate of when payments of a scheme can be cancelled last; the interface documents no cut-off. It is at
 * `time`, `days` business days before the schedule date. `scheme` `*` applies to all others. Without a `calendar` it is
 * that of the payment's scheme, if that is listed.
 */
export type CutOffRule = { scheme: string; days: number; time: string; calendar: BankCalendar | null }

export type CutOffConfig = { rules: readonly CutOffRule[]; zone: string }

type ScheduledPayment = { scheduleDate: string | null; scheme: string | null }

/** An estimated cut-off: `at` in ms since the epoch, and its `day` in the scheme's zone. */
export type CutOff = { at: number; day: string }

const pattern = /^(\*|[a-z0-9][a-z0-9-]{0,49})=(\d{1,2})@([01]\d|2[0-3]):([0-5]\d)(?:\/(target2|denmark))?$/u

/** Parses rules such as `nets-bs=8@16:00,sepa-core=1@11:00/target2,*=1@16:00`; null if invalid or a scheme is repeated. */
export function parseCutOffRules(text: string): CutOffRule[] | null {
  const rules = text.split(',').map((part) => {
    const [, scheme, days, hour, minute, calendar] = pattern.exec(part.trim().toLowerCase()) ?? []
    if (scheme === undefined) return null
    const named: BankCalendar | null = calendar === 'target2' || calendar === 'denmark' ? calendar : null
    return { scheme, days: Number(days), time: `${hour}:${minute}`, calendar: named }
  })
  const read = rules.filter((rule) => rule !== null)
  const schemes = new Set(read.map(({ scheme }) => scheme))
  return read.length === rules.length && schemes.size === read.length ? read : null
}

const sepaSchemes = ['sepa-core', 'sepa-b2b']

/** The schemes whose cut-offs may differ. All others share one, for a filter can tell them from these but not from each other. */
export function listSchemes({ rules }: CutOffConfig): string[] {
  const configured = rules.map(({ scheme }) => scheme).filter((scheme) => scheme !== '*')
  return [...new Set([...knownSchemes.map(({ scheme }) => scheme), ...sepaSchemes, ...configured])]
}

/** The day of an estimated cut-off, and its rule. */
function findCutOffDay(
  { scheduleDate, scheme }: ScheduledPayment,
  config: CutOffConfig,
): { day: string; rule: CutOffRule } | null {
  const { rules, zone } = config
  const scheduled = parseBusinessDay(scheduleDate, zone)
  const name = scheme?.trim().toLowerCase() ?? ''
  const rule = rules.find((one) => one.scheme === name) ?? rules.find((one) => one.scheme === '*')
  if (scheduled === null || !rule) return null
  const calendar = rule.calendar ?? calendarOf(listSchemes(config).includes(name) ? name : '')
  return { day: subtractBusinessDays(scheduled, rule.days, calendar), rule }
}

/**
 * Estimates a payment's cut-off from its schedule date and scheme; null without a schedule date or a rule. Only the
 * service knows, so an estimate never prevents a cancellation.
 */
export function estimateCutOff(payment: ScheduledPayment, config: CutOffConfig): CutOff | null {
  const found = findCutOffDay(payment, config)
  return found && { day: found.day, at: timestampInZone(found.day, found.rule.time, config.zone) }
}

/** How far ahead of today schedule dates are searched: some 90 business days, holidays included. */
const HORIZON_DAYS = 140

/** The schedule dates whose cut-off for a scheme is on `today`. */
export function listClosingDates(today: string, scheme: string | null, config: CutOffConfig): string[] {
  const dates = Array.from({ length: HORIZON_DAYS }, (_, ahead) => addDays(today, ahead))
  return dates.filter((date) => findCutOffDay({ scheduleDate: date, scheme }, config)?.day === today)
}

/** The city of a time zone: Copenhagen for `Europe/Copenhagen`, in the reader's language where we know it. */
export function zoneCity(zone: string): string {
  if (zone === 'Europe/Copenhagen') return m.dates_copenhagen()
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** Formats a cut-off in the scheme's zone: "Tue 24 Nov, 16:00 Copenhagen". */
export function formatCutOff({ at }: CutOff, zone: string, locale: string): string {
  const day = dayInZone(at, zone)
  return m.dates_cutOff({
    weekday: formatWeekday(day, locale, 'short'),
    day: formatShortDay(day, locale),
    time: formatClock(at, zone, locale),
    city: zoneCity(zone),
  })
}

/** The same without the city, where a page names it. */
export function formatShortCutOff({ at }: CutOff, zone: string, locale: string): string {
  const day = dayInZone(at, zone)
  return m.dates_shortCutOff({
    weekday: formatWeekday(day, locale, 'short'),
    day: formatShortDay(day, locale),
    time: formatClock(at, zone, locale),
  })
}

/** `today` is meant in the scheme's zone. */
export function classifyCutOff({ at, day }: CutOff, now: number, zone: string): 'past' | 'today' | 'later' {
  if (now >= at) return 'past'
  return dayInZone(now, zone) === day ? 'today' : 'later'
}
