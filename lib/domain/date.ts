const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}[\d:.]*) ?(Z|[+-]\d{2}:?\d{2})?$/iu

/**
 * A timestamp of the service as milliseconds since 1970, NaN where it is none. The interface says UTC: one
 * written without `Z` or an offset is read so, and not in the zone of whoever reads.
 */
export function parseTimestamp(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'number' ? value : Number.NaN
  const written = value.trim()
  const [, day, time, zone = 'Z'] = parts.exec(written) ?? []
  return Date.parse(day ? `${day}T${time}${zone.replace(/:?(\d{2})$/u, ':$1')}` : written)
}

/*
 * Two kinds of time. Business dates (paymentDate, scheduleDate, settlementDate) are calendar days of the
 * scheme's zone; moments (createdAt, modifiedAt …) are shown in the viewer's zone, which is named.
 * Both come as ISO 8601 date-times in UTC (docs/upstream-api.md, section 2), in the dialects that deployments write.
 */

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/u

type DateParts = { day: string; midnight: boolean; dateOnly: boolean; epoch: number }

function readOffset(zone: string | undefined): number | null {
  if (zone === undefined || /^z$/iu.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** Strict reading: a day that exists, a time that exists, no leap second; the year 1 (.NET's default) is nothing. */
function readParts(value: string | null | undefined): DateParts | null {
  const match = pattern.exec(value ?? '')
  if (!match) return null
  const [, year = '', month = '', date = '', hour, minute = '00', second = '00', fraction = '', zone] = match
  const offset = readOffset(zone)
  if (offset === null || Number(year) <= 1 || Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59)
    return null
  const day = `${year}-${month}-${date}`
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const local = Date.parse(`${day}T${hour ?? '00'}:${minute}:${second}.${milliseconds}Z`)
  // `Date.parse` lets 30 February pass as 2 March in some engines.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== day) return null
  const midnight = hour === undefined || /^0*$/u.test(hour + minute + second + fraction)
  return { day, midnight, dateOnly: hour === undefined, epoch: local - offset }
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
 * Engines differ in which space they write, and in how they join a date to a weekday or a time: spaces are
 * made plain and the joints are ours, so that the server's text is the browser's. Marks that turn the text are left
 * out, for the page around it is written from left to right.
 */
function makePlain(text: string): string {
  return text.replaceAll(/[\u202f\u00a0]/gu, ' ').replaceAll(/[\u200e\u200f\u061c]/gu, '')
}

/**
 * Words are the desk's, which is English; order, marks and digits are the reader's. Where those are of another
 * language, months are numbers: one line never holds two languages.
 */
function hasWords(locale: string): boolean {
  return locale.startsWith('en')
}

/** The locale whose words stand in dates. */
function pickWords(locale: string): string {
  return hasWords(locale) ? locale : 'en-GB'
}

type DayForm = 'day' | 'short' | 'month'

const worded: Record<DayForm, Intl.DateTimeFormatOptions> = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  short: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
}

const numbered: Record<DayForm, Intl.DateTimeFormatOptions> = {
  day: { day: '2-digit', month: '2-digit', year: 'numeric' },
  short: { day: '2-digit', month: '2-digit' },
  month: { month: '2-digit', year: 'numeric' },
}

function formatForm(day: string, form: DayForm, locale: string): string {
  const options = hasWords(locale) ? worded : numbered
  return makePlain(getFormatter(locale, 'UTC', form, options[form]).format(Date.parse(`${day}T00:00:00Z`)))
}

/** The calendar day on which a moment falls in a zone, as `2026-11-20`. */
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
 * The business day that a date-time stands for, as `2026-11-20`, or null. Midnight, in whatever zone it is
 * written, is the day as written (so midnight UTC shifts no day in a zone west of it); any other time
 * falls on its day in `zone`, the scheme's.
 */
export function parseBusinessDay(value: string | null | undefined, zone: string): string | null {
  const parts = readParts(value)
  if (!parts) return null
  return parts.midnight ? parts.day : dayInZone(parts.epoch, zone)
}

/** A day such as `2026-11-20` for people: "20 Nov 2026", "20.11.2026". */
export function formatDay(day: string, locale: string): string {
  return formatForm(day, 'day', locale)
}

/** The same without its year: "20 Nov", "20.11." */
export function formatShortDay(day: string, locale: string): string {
  return formatForm(day, 'short', locale)
}

/** A month such as `2026-11` for people: "Nov 2026", "11/2026". */
export function formatMonth(month: string, locale: string): string {
  return formatForm(`${month}-01`, 'month', locale)
}

/** The weekday of a day, in the desk's words: "Friday", "Fri". */
export function formatWeekday(day: string, locale: string, length: 'long' | 'short'): string {
  return getFormatter(pickWords(locale), 'UTC', `${length} weekday`, { weekday: length }).format(
    Date.parse(`${day}T00:00:00Z`),
  )
}

/** What clocks in a zone show, of the 24 hours of a day: "14:03", "14.03". */
export function formatClock(epoch: number, zone: string, locale: string): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return makePlain(getFormatter(locale, zone, 'clock', options).format(epoch))
}

/** How a zone is called at a moment: "CET". */
function nameZone(epoch: number, zone: string, locale: string): string {
  const options = { hour: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
  const parts = getFormatter(pickWords(locale), zone, 'zone', options).formatToParts(epoch)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** A value for people and machines: `text` to show, `dateTime` for `<time>`, `title` to say which zone. */
export type ShownTime = { text: string; dateTime: string; title: string }

/** A business date for people, in the scheme's zone; null when there is none or it cannot be read. */
export function formatBusinessDate(value: string | null | undefined, zone: string, locale: string): ShownTime | null {
  const day = parseBusinessDay(value, zone)
  if (day === null) return null
  const text = formatDay(day, locale)
  return { text, dateTime: day, title: `${formatWeekday(day, locale, 'long')}, ${text}, a day in ${zone}` }
}

/**
 * A moment for people in a zone, which is named: "20 Nov 2026, 14:03 CET"; the title has the seconds and
 * UTC. A date without a time keeps to its day. Null when there is none or it cannot be read.
 */
export function formatTimestamp(value: string | null | undefined, zone: string, locale: string): ShownTime | null {
  const parts = readParts(value)
  if (!parts) return null
  if (parts.dateOnly) return { text: formatDay(parts.day, locale), dateTime: parts.day, title: parts.day }
  const clock = `${formatClock(parts.epoch, zone, locale)} ${nameZone(parts.epoch, zone, locale)}`
  const iso = new Date(parts.epoch).toISOString()
  const text = `${formatDay(dayInZone(parts.epoch, zone), locale)}, ${clock}`
  return { text, dateTime: iso, title: `${iso.replace('T', ' ').replace(/\.\d+Z$/u, '')} UTC` }
}
