import { dayInZone, formatClock, formatShortDay, nameWeekday } from './date'
import type { CutOff } from './cut-off'

/** The city of a zone, by which people know it: `Europe/Copenhagen` is Copenhagen. */
export function nameZone(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}

/** An estimated cut-off for people, in the scheme's zone, which is named: "Tue 24 Nov, 16:00 Copenhagen". */
export function formatCutOff({ at }: CutOff, zone: string, locale: string): string {
  const day = dayInZone(at, zone)
  const date = `${nameWeekday(day, locale, 'short')} ${formatShortDay(day, locale)}`
  return `${date}, ${formatClock(at, zone, locale)} ${nameZone(zone)}`
}

/** How an estimate stands to the present: past, closing today (in the scheme's zone), or later. */
export function judgeCutOff({ at, day }: CutOff, now: number, zone: string): 'past' | 'today' | 'later' {
  if (now >= at) return 'past'
  return dayInZone(now, zone) === day ? 'today' : 'later'
}
