import type { TableFilter } from '../data-table/list-definition'
import type { TableView } from '../data-table/table-view'

/** The filters of a view by their labels, in the words of their choices. */
export function describeFilters(filters: readonly TableFilter[], { values }: TableView): Record<string, string> {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const value = values[filter.id]
      if (value === undefined) return []
      const option = filter.kind === 'choice' ? filter.options.find((one) => one.value === value) : undefined
      return [[filter.label, option?.label ?? value]]
    }),
  )
}
