/*
 * Calendar days are strings such as `2026-11-20`. A business day is one on which the banks of a calendar are open.
 */

/** TARGET2 for SEPA, Denmark's bank days for the Danish schemes. */
export type BankCalendar = 'target2' | 'denmark'

/** The calendar that a scheme such as `sepa-core` follows. */
export function calendarOf(scheme: string): BankCalendar {
  return scheme.startsWith('sepa') ? 'target2' : 'denmark'
}

const DAY_MS = 86_400_000

function toEpochDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

function fromEpochDay(epochDay: number): string {
  return new Date(epochDay * DAY_MS).toISOString().slice(0, 10)
}

/** Adds calendar days; a negative `count` subtracts. */
export function addDays(day: string, count: number): string {
  return fromEpochDay(toEpochDay(day) + count)
}

/** Easter Sunday of a Gregorian year, by the anonymous algorithm of 1876. */
export function easterOf(year: number): string {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leaps = Math.floor(century / 4)
  const moon = Math.floor((century + 8) / 25)
  const epact = (19 * golden + century - leaps - Math.floor((century - moon + 1) / 3) + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const count = epact + weekday - 7 * shift + 114
  return fromEpochDay(Date.UTC(year, Math.floor(count / 31) - 1, (count % 31) + 1) / DAY_MS)
}

/** Holidays by month and day, and by days after Easter Sunday. */
const holidays: Record<BankCalendar, { fixed: readonly string[]; fromEaster: readonly number[] }> = {
  // New Year's Day, Good Friday, Easter Monday, Labour Day, Christmas Day and the day after.
  target2: { fixed: ['01-01', '05-01', '12-25', '12-26'], fromEaster: [-2, 1] },
  // Also Maundy Thursday, Ascension Day and the Friday after, Whit Monday, Constitution Day, 24 and 31 December.
  denmark: { fixed: ['01-01', '06-05', '12-24', '12-25', '12-26', '12-31'], fromEaster: [-3, -2, 1, 39, 40, 50] },
}

/** Great Prayer Day, the fourth Friday after Easter, was last a Danish holiday in 2023. */
const LAST_PRAYER_DAY_YEAR = 2023

export function isBusinessDay(day: string, calendar: BankCalendar): boolean {
  const epochDay = toEpochDay(day)
  const weekday = new Date(epochDay * DAY_MS).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const { fixed, fromEaster } = holidays[calendar]
  if (fixed.includes(day.slice(5))) return false
  const year = Number(day.slice(0, 4))
  const sinceEaster = epochDay - toEpochDay(easterOf(year))
  if (calendar === 'denmark' && year <= LAST_PRAYER_DAY_YEAR && sinceEaster === 26) return false
  return !fromEaster.includes(sinceEaster)
}

/** Moves to the nearest business day in the direction of `step`, then `count` more. */
function moveBusinessDays(day: string, count: number, step: 1 | -1, calendar: BankCalendar): string {
  let moved = day
  while (!isBusinessDay(moved, calendar)) moved = addDays(moved, step)
  for (let left = count; left > 0; left -= 1) {
    do moved = addDays(moved, step)
    while (!isBusinessDay(moved, calendar))
  }
  return moved
}

/** The day `count` business days after `day`. A day that is no business day counts as the next one. */
export function addBusinessDays(day: string, count: number, calendar: BankCalendar): string {
  return moveBusinessDays(day, count, 1, calendar)
}

/** The day `count` business days before `day`. A day that is no business day counts as the previous one. */
export function subtractBusinessDays(day: string, count: number, calendar: BankCalendar): string {
  return moveBusinessDays(day, count, -1, calendar)
}
