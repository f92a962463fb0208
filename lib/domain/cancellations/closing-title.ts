import * as m from '@/lib/messages/m'
import { formatDay, formatWeekday } from '../dates/date'
import type { Closing } from './closing-filter'

/** A day with its weekday. */
export function nameClosingDay(day: string, locale: string): string {
  return m.dates_weekdayAndDay({ weekday: formatWeekday(day, locale, 'long'), day: formatDay(day, locale) })
}

/** The title of the payments that close next: of today, or of the day that they close on. */
export function titleClosing(closing: Pick<Closing, 'day' | 'isToday'> | null, locale: string): string {
  if (!closing) return m.paymentPage_closingNextEstimate()
  if (closing.isToday) return m.paymentPage_closingTodayEstimate()
  return m.paymentPage_closingOnEstimate({ day: nameClosingDay(closing.day, locale) })
}
