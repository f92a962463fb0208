import { addDays } from '@/lib/api-contract/business-days'
import { type Filter, joinFilters } from '@/lib/api-contract/filter'
import { timestampInZone } from '../dates/time-zone'

/** Times of which the day in the business zone counts; all other dates are business days. */
const timestampFields = ['createdAt', 'modifiedAt']

/** When a day begins (ISO 8601). A business day is written either as midnight UTC or as midnight in the zone. */
function beginOf(field: string, day: string, zone: string): string {
  const inZone = timestampInZone(day, '00:00', zone)
  return new Date(
    timestampFields.includes(field) ? inZone : Math.min(Date.parse(`${day}T00:00:00Z`), inZone),
  ).toISOString()
}

/** Matches the days from `from` to `to`, both included, of a date field; at least one must be given. */
export function makeDayFilter(
  field: string,
  { from, to }: { from: string | null; to: string | null },
  zone: string,
): Filter {
  const begin: Filter | null =
    from === null ? null : { kind: 'compare', field, comparison: 'ge', value: { moment: beginOf(field, from, zone) } }
  const end: Filter | null =
    to === null
      ? null
      : { kind: 'compare', field, comparison: 'lt', value: { moment: beginOf(field, addDays(to, 1), zone) } }
  const days = joinFilters('and', [begin, end])
  if (!days) throw new Error('A range of days has a beginning or an end.')
  return days
}
