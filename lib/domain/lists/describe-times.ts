import * as m from '@/lib/messages/m'
import { formatHour, formatWeekday } from '../dates/date'
import type { ExportTimes } from './export-schedule'

/** The name of a weekday, from Monday (1). */
export function nameWeekday(day: number, locale: string): string {
  // 2026-11-30 is a Monday.
  return formatWeekday(`2026-${day === 1 ? '11-30' : `12-0${day - 1}`}`, locale, 'long')
}

/** When an export is made: "Every Monday at 07:00". */
export function describeTimes({ rhythm, day, hour }: ExportTimes, locale: string): string {
  const time = formatHour(hour, locale)
  if (rhythm === 'daily') return m.exporting_everyDayAt({ time })
  if (rhythm === 'weekly') return m.exporting_everyWeekdayAt({ weekday: nameWeekday(day, locale), time })
  return m.exporting_everyMonthAt({ day, time })
}
