/*
 * Calendar days are written as `2026-11-20`. A business day is one on which the banks of a calendar work.
 */

/** Whose business days count: TARGET2 for SEPA, those of Denmark's banks for the Danish schemes. */
export type BankCalendar = 'target2' | 'denmark'

/** The calendar that a scheme such as `sepa-core` follows. */
export function calendarOf(scheme: string): BankCalendar {
  return scheme.startsWith('sepa') ? 'target2' : 'denmark'
}

const dayLength = 86_400_000

/** Days since 1970. */
function readDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / dayLength
}

function writeDay(number: number): string {
  return new Date(number * dayLength).toISOString().slice(0, 10)
}

/** The day so many days of the calendar later, or earlier. */
export function addDays(day: string, count: number): string {
  return writeDay(readDay(day) + count)
}

/** Easter Sunday of a Gregorian year: the anonymous algorithm of 1876. */
export function easterOf(year: number): string {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leaps = Math.floor(century / 4)
  const moon = Math.floor((century + 8) / 25)
  const epact = (19 * golden + century - leaps - Math.floor((century - moon + 1) / 3) + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const count = epact + weekday - 7 * shift + 114
  return writeDay(Date.UTC(year, Math.floor(count / 31) - 1, (count % 31) + 1) / dayLength)
}

/** Holidays by month and day, and by days after Easter Sunday. */
const holidays: Record<BankCalendar, { fixed: readonly string[]; fromEaster: readonly number[] }> = {
  // New Year, Good Friday, Easter Monday, Labour Day, Christmas and the day after.
  target2: { fixed: ['01-01', '05-01', '12-25', '12-26'], fromEaster: [-2, 1] },
  // Besides: Maundy Thursday, Ascension and the Friday after, Whit Monday, Constitution Day, 24 and 31 December.
  denmark: { fixed: ['01-01', '06-05', '12-24', '12-25', '12-26', '12-31'], fromEaster: [-3, -2, 1, 39, 40, 50] },
}

/** Great Prayer Day, the fourth Friday after Easter, was a Danish holiday for the last time in 2023. */
const lastPrayerDay = 2023

/** Whether a day is a business day of a calendar. */
export function isBusinessDay(day: string, calendar: BankCalendar): boolean {
  const number = readDay(day)
  const weekday = new Date(number * dayLength).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const { fixed, fromEaster } = holidays[calendar]
  if (fixed.includes(day.slice(5))) return false
  const year = Number(day.slice(0, 4))
  const since = number - readDay(easterOf(year))
  if (calendar === 'denmark' && year <= lastPrayerDay && since === 26) return false
  return !fromEaster.includes(since)
}

/** Moves to a business day, then over `count` more, in the direction of `step`. */
function moveBusinessDays(day: string, count: number, step: 1 | -1, calendar: BankCalendar): string {
  let moved = day
  while (!isBusinessDay(moved, calendar)) moved = addDays(moved, step)
  for (let left = count; left > 0; left -= 1) {
    do moved = addDays(moved, step)
    while (!isBusinessDay(moved, calendar))
  }
  return moved
}

/** The day that lies `count` business days after a day; one that is none counts as the next that is. */
export function addBusinessDays(day: string, count: number, calendar: BankCalendar): string {
  return moveBusinessDays(day, count, 1, calendar)
}

/** The day that lies `count` business days before a day; one that is none counts as the last before it. */
export function subtractBusinessDays(day: string, count: number, calendar: BankCalendar): string {
  return moveBusinessDays(day, count, -1, calendar)
}
