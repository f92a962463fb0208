import type { Filter } from '@/lib/api-contract/filter'
import { knownSchemes } from '@/lib/domain/agreements'
import { type CutOffConfig, listClosingDates } from './cut-off'
import { makeDayFilter } from '../lists/day-filter'

const sepaSchemes = ['sepa-core', 'sepa-b2b']

function join(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [only] = filters
  return only && filters.length === 1 ? only : { kind, filters }
}

/**
 * Matches the cancellable payments whose estimated cut-off is on `today`; null when there can be none. Payments of
 * unknown schemes match on dates on which all known schemes close.
 */
export function makeClosingFilter(today: string, cancellable: readonly string[], config: CutOffConfig): Filter | null {
  const configured = config.rules.map(({ scheme }) => scheme).filter((scheme) => scheme !== '*')
  const schemes = [...new Set([...knownSchemes.map(({ scheme }) => scheme), ...sepaSchemes, ...configured])]
  const closing = new Map<string, string[]>()
  for (const scheme of schemes) {
    for (const date of listClosingDates(today, scheme, config))
      closing.set(date, [...(closing.get(date) ?? []), scheme])
  }
  if (closing.size === 0 || cancellable.length === 0) return null
  const dates = [...closing].map(([date, closingSchemes]) => {
    const day = makeDayFilter('scheduleDate', { from: date, to: date }, config.zone)
    if (closingSchemes.length === schemes.length) return day
    const bySchemes = closingSchemes.map(
      (value): Filter => ({ kind: 'compare', field: 'mandate/scheme', comparison: 'eq', value }),
    )
    return join('and', [day, join('or', bySchemes)])
  })
  const states = cancellable.map((value): Filter => ({ kind: 'compare', field: 'status', comparison: 'eq', value }))
  return { kind: 'and', filters: [join('or', states), join('or', dates)] }
}
