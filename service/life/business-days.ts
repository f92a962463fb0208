const day = 86_400_000

/** Whose working days count: TARGET2 for SEPA, Denmark's banks for the Danish schemes. */
export type Calendar = 'target2' | 'denmark'

export function calendarOf(scheme: string): Calendar {
  return scheme.startsWith('sepa') ? 'target2' : 'denmark'
}

/** Easter Sunday of a Gregorian year as days since 1970 (Meeus/Jones/Butcher). */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const [d, e, g] = [Math.floor(b / 4), b % 4, Math.floor((8 * b + 13) / 25)]
  const h = (19 * a + b - d - g + 15) % 30
  const [i, k] = [Math.floor(c / 4), c % 4]
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  const date = (h + l - 7 * m + 33 * month + 19) % 32
  return Date.UTC(year, month - 1, date) / day
}

/** Holidays by month and day, and by days from Easter Sunday. */
const holidays: Record<Calendar, { fixed: readonly string[]; moving: readonly number[] }> = {
  target2: { fixed: ['01-01', '05-01', '12-25', '12-26'], moving: [-2, 1] },
  // Maundy Thursday, Good Friday, Easter Monday, Ascension and the day after, Whit Monday; Great Prayer Day ended in 2024.
  denmark: { fixed: ['01-01', '06-05', '12-24', '12-25', '12-26', '12-31'], moving: [-3, -2, 1, 39, 40, 50] },
}

/** Whether a midnight UTC is a day on which a calendar's banks work. */
export function isBusinessDay(date: Date, calendar: Calendar): boolean {
  if (date.getUTCDay() === 0 || date.getUTCDay() === 6) return false
  const { fixed, moving } = holidays[calendar]
  if (fixed.includes(date.toISOString().slice(5, 10))) return false
  return !moving.includes(Math.floor(date.getTime() / day) - easter(date.getUTCFullYear()))
}

/**
 * The business day `count` after a date, or before it when negative; 0 moves a date that is none to the
 * next that is. Midnights UTC.
 */
export function addBusinessDays(date: Date, count: number, calendar: Calendar): Date {
  const step = count < 0 ? -day : day
  let moved = Math.floor(date.getTime() / day) * day
  while (!isBusinessDay(new Date(moved), calendar)) moved += step
  for (let left = Math.abs(count); left > 0; left -= 1) {
    do moved += step
    while (!isBusinessDay(new Date(moved), calendar))
  }
  return new Date(moved)
}
