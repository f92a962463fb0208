import { addDays } from '@/lib/api-contract/business-days'
import { dayInZone } from '../dates/date'
import { timestampInZone } from '../dates/time-zone'
import { endOfMonth } from './day-presets'
import type { ExportQuery, ListExportView } from './list-export'

export const rhythms = ['daily', 'weekly', 'monthly'] as const

/** When an export is made, in the business zone. */
export type ExportTimes = {
  rhythm: (typeof rhythms)[number]
  /** Of the week, from Monday (1), or of the month; a month without it ends earlier. 1 for every day. */
  day: number
  /** 0 to 23. */
  hour: number
}

/** A filter whose days move on, such as `this-month`. */
export type MovingDays = { field: string; preset: string }

/** Body of POST /api/desk/exports/schedules. The query's filters are without the moving ones. */
export type ExportScheduleRequest = { query: ExportQuery; moving: MovingDays[]; times: ExportTimes }

/**
 * A schedule of exports. `nextAt` is ISO 8601 in UTC; `problem` the code of the error that kept the last one from starting, or
 * why it broke off, as the `reason` of an export.
 */
export type ExportScheduleView = Pick<ListExportView, 'list' | 'filters'> & {
  scheduleId: string
  times: ExportTimes
  nextAt: string
  problem: string | null
}

/** A day's weekday, from Monday (1). */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

function isDue(day: string, { rhythm, day: wanted }: ExportTimes): boolean {
  if (rhythm === 'daily') return true
  if (rhythm === 'weekly') return weekdayOf(day) === wanted
  return Number(day.slice(8)) === Math.min(wanted, Number(endOfMonth(day).slice(8)))
}

function timeOn(day: string, { hour }: ExportTimes, zone: string): number {
  return timestampInZone(day, `${String(hour).padStart(2, '0')}:00`, zone)
}

/** The first time after `after` at which an export is due; both in milliseconds since the epoch. */
export function findNextRun(times: ExportTimes, after: number, zone: string): number {
  for (let day = dayInZone(after, zone); ; day = addDays(day, 1)) {
    const at = timeOn(day, times, zone)
    if (at > after && isDue(day, times)) return at
  }
}

/** The last time until `until` at which an export was due; both in milliseconds since the epoch. */
export function findLastRun(times: ExportTimes, until: number, zone: string): number {
  for (let day = dayInZone(until, zone); ; day = addDays(day, -1)) {
    const at = timeOn(day, times, zone)
    if (at <= until && isDue(day, times)) return at
  }
}
