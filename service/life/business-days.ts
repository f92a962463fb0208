import { addBusinessDays as addToDay, type BankCalendar, subtractBusinessDays } from '@/lib/contract/business-days'

/**
 * The business day `count` after a date, or before it when negative; 0 moves a date that is none to the
 * next that is. Midnights UTC.
 */
export function addBusinessDays(date: Date, count: number, calendar: BankCalendar): Date {
  const day = date.toISOString().slice(0, 10)
  return new Date(count < 0 ? subtractBusinessDays(day, -count, calendar) : addToDay(day, count, calendar))
}
