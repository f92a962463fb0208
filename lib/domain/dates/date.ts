import * as m from '@/lib/messages/m'

/*
 * Two kinds of time. Business dates (paymentDate, scheduleDate, settlementDate) are calendar days in the scheme's zone;
 * timestamps (createdAt, modifiedAt …) are shown in the viewer's zone, which is named. Both come as ISO 8601 date-times
 * in UTC (docs/upstream-api.md, section 2), in the dialects that deployments write.
 */

const lenientPattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}[\d:.]*) ?(Z|[+-]\d{2}:?\d{2})?$/iu

/**
 * A timestamp of the service in milliseconds since 1970; NaN if invalid. One without `Z` or an offset is UTC, as the
 * interface says, not the reader's local time.
 */
export function parseTimestamp(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'number' ? value : Number.NaN
  const written = value.trim()
  const [, day, time, zone = 'Z'] = lenientPattern.exec(written) ?? []
  return Date.parse(day ? `${day}T${time}${zone.replace(/:?(\d{2})$/u, ':$1')}` : written)
}

const strictPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/u

type DateParts = { day: string; midnight: boolean; dateOnly: boolean; epoch: number }

function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined || /^z$/iu.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/**
 * Accepts only existing days and times, without leap seconds. The years 1 and 9999 count as no date: .NET's default value
 * is in the one, its last in the other.
 */
function parseStrictly(value: string | null | undefined): DateParts | null {
  const match = strictPattern.exec(value ?? '')
  if (!match) return null
  const [, year = '', month = '', date = '', hour, minute = '00', second = '00', fraction = '', zone] = match
  const offset = parseOffset(zone)
  if (offset === null || Number(year) <= 1 || year === '9999') return null
  if (Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const day = `${year}-${month}-${date}`
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const local = Date.parse(`${day}T${hour ?? '00'}:${minute}:${second}.${milliseconds}Z`)
  // `Date.parse` lets 30 February pass as 2 March in some engines.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== day) return null
  const midnight = hour === undefined || /^0*$/u.test(hour + minute + second + fraction)
  return { day, midnight, dateOnly: hour === undefined, epoch: local - offset }
}

/** Whether a text is an existing day, such as `2026-11-25`. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** A timestamp in milliseconds since 1970; NaN where formatTimestamp shows none. */
export function parseShownTimestamp(value: string | null): number {
  return parseStrictly(value)?.epoch ?? Number.NaN
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function getFormatter(
  locale: string,
  zone: string,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${name}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
  formatters.set(key, made)
  return made
}

/**
 * Makes the text of server and browser equal: engines differ in the kind of space they write. Bidirectional marks are
 * removed, because the surrounding page is left-to-right. Dates are joined to weekdays and times by us for the same
 * reason.
 */
function normalizeSpaces(text: string): string {
  return text.replaceAll(/[\u202f\u00a0]/gu, ' ').replaceAll(/[\u200e\u200f\u061c]/gu, '')
}

type DayForm = 'day' | 'short' | 'month' | 'monthName'

const dayForms: Record<DayForm, Intl.DateTimeFormatOptions> = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  short: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  monthName: { month: 'short' },
}

function formatForm(day: string, form: DayForm, locale: string): string {
  return normalizeSpaces(getFormatter(locale, 'UTC', form, dayForms[form]).format(Date.parse(`${day}T00:00:00Z`)))
}

/** The calendar day of a timestamp in a zone, as `2026-11-20`. */
export function dayInZone(epoch: number, zone: string): string {
  const parts = getFormatter('en-US', zone, 'parts', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(epoch)
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${find('year').padStart(4, '0')}-${find('month')}-${find('day')}`
}

/**
 * The business day that a date-time means, as `2026-11-20`, or null. Midnight in any offset means the day as written,
 * so that midnight UTC is not the day before in zones west of it; any other time means its day in the scheme's `zone`.
 */
export function parseBusinessDay(value: string | null | undefined, zone: string): string | null {
  const parts = parseStrictly(value)
  if (!parts) return null
  return parts.midnight ? parts.day : dayInZone(parts.epoch, zone)
}

/** Formats a day such as `2026-11-20`: "20 Nov 2026", "20. nov. 2026". */
export function formatDay(day: string, locale: string): string {
  return formatForm(day, 'day', locale)
}

/** Formats a day without its year: "20 Nov", "20. nov." */
export function formatShortDay(day: string, locale: string): string {
  return formatForm(day, 'short', locale)
}

/** Formats a month such as `2026-11`: "Nov 2026", "nov. 2026". */
export function formatMonth(month: string, locale: string): string {
  return formatForm(`${month}-01`, 'month', locale)
}

/** The short name of a month such as `2026-11`: "Nov", "nov." */
export function formatMonthName(month: string, locale: string): string {
  return formatForm(`${month}-01`, 'monthName', locale)
}

/** The weekday of a day: "Friday", "Fri". */
export function formatWeekday(day: string, locale: string, length: 'long' | 'short'): string {
  return getFormatter(locale, 'UTC', `${length} weekday`, { weekday: length }).format(Date.parse(`${day}T00:00:00Z`))
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** The local time in a zone, with 24 hours: "14:03", "14.03"; with its seconds "14:03:27" if it is to be exact. */
export function formatClock(epoch: number, zone: string, locale: string, isExact = false): string {
  const formatter = isExact
    ? getFormatter(locale, zone, 'exact clock', { ...clock, second: '2-digit' })
    : getFormatter(locale, zone, 'clock', clock)
  return normalizeSpaces(formatter.format(epoch))
}

/** A full hour of a day, as the clock shows it: "07:00", "07.00". */
export function formatHour(hour: number, locale: string): string {
  return formatClock(hour * 3_600_000, 'UTC', locale)
}

/** The abbreviation of a zone at a time: "CET". */
function zoneAbbreviation(epoch: number, zone: string, locale: string): string {
  const options = { hour: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
  const parts = getFormatter(locale, zone, 'zone', options).formatToParts(epoch)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** `text` to show, `dateTime` for `<time>`, `title` to name the zone. */
export type ShownTime = { text: string; dateTime: string; title: string }

/** Formats a business date in the scheme's zone; null when there is none or it is invalid. */
export function formatBusinessDate(value: string | null | undefined, zone: string, locale: string): ShownTime | null {
  const day = parseBusinessDay(value, zone)
  if (day === null) return null
  const text = formatDay(day, locale)
  return {
    text,
    dateTime: day,
    title: m.dates_businessDay({ weekday: formatWeekday(day, locale, 'long'), day: text, zone }),
  }
}

/**
 * Formats a timestamp in a zone: "20 Nov 2026, 14:03 CET", with its seconds if it is to be exact; the title has them in
 * UTC. A date without a time stays a day. Null when there is none or it is invalid.
 */
export function formatTimestamp(
  value: string | null | undefined,
  zone: string,
  locale: string,
  isExact = false,
): ShownTime | null {
  const parts = parseStrictly(value)
  if (!parts) return null
  if (parts.dateOnly) return { text: formatDay(parts.day, locale), dateTime: parts.day, title: parts.day }
  const time = `${formatClock(parts.epoch, zone, locale, isExact)} ${zoneAbbreviation(parts.epoch, zone, locale)}`
  const iso = new Date(parts.epoch).toISOString()
  const text = `${formatDay(dayInZone(parts.epoch, zone), locale)}, ${time}`
  return { text, dateTime: iso, title: `${iso.replace('T', ' ').replace(/\.\d+Z$/u, '')} UTC` }
}
