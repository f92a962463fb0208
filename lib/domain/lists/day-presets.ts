import { addDays } from '@/lib/api-contract/business-days'
import type { Message } from '@/lib/language/runtime'
import * as m from '@/lib/messages/m'

/** A range with both ends included; null: open. */
export type Range = { from: string | null; to: string | null }

/** The last day of a day's month. */
export function endOfMonth(today: string): string {
  return new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).toISOString().slice(0, 10)
}

/** A range that moves on with time. */
export type DayPreset = { id: string; label: Message; days: (today: string) => Range }

/** The named ranges of days. */
export const dayPresets: readonly DayPreset[] = [
  { id: 'today', label: m.filters_today, days: (today) => ({ from: today, to: today }) },
  { id: 'tomorrow', label: m.filters_tomorrow, days: (today) => ({ from: addDays(today, 1), to: addDays(today, 1) }) },
  { id: 'next-7-days', label: m.filters_nextSevenDays, days: (today) => ({ from: today, to: addDays(today, 6) }) },
  {
    id: 'this-month',
    label: m.filters_thisMonth,
    days: (today) => ({ from: `${today.slice(0, 8)}01`, to: endOfMonth(today) }),
  },
  {
    id: 'yesterday',
    label: m.filters_yesterday,
    days: (today) => ({ from: addDays(today, -1), to: addDays(today, -1) }),
  },
  { id: 'last-30-days', label: m.filters_lastThirtyDays, days: (today) => ({ from: addDays(today, -29), to: today }) },
  {
    id: 'last-month',
    label: m.filters_lastMonth,
    days: (today) => {
      const to = addDays(`${today.slice(0, 8)}01`, -1)
      return { from: `${to.slice(0, 8)}01`, to }
    },
  },
]

/** The preset of an id, such as `this-month`. */
export function findDayPreset(id: string): DayPreset | undefined {
  return dayPresets.find((preset) => preset.id === id)
}
