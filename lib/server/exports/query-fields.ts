import type { Filter } from '@/lib/api-contract/filter'
import type { ListId } from '@/lib/domain/lists/capabilities'
import { isFieldOfList } from '@/lib/domain/lists/filter-request'
import { type ExportQuery, listExportOrders } from '@/lib/domain/lists/list-export'

function listFilterFields(filter: Filter | null): string[] {
  if (filter === null) return []
  return 'filters' in filter ? filter.filters.flatMap(listFilterFields) : [filter.field]
}

/** The first of some fields that a list can't be filtered or sorted by. */
export function findForeignField(list: ListId, fields: readonly string[]): string | undefined {
  return fields.find((field) => !isFieldOfList(list, field))
}

/** The parts of a query that name a field its list doesn't have, each with the first such field. */
export function findForeignFields(
  query: Pick<ExportQuery, 'list' | 'asked' | 'rest' | 'order'>,
): { part: 'asked' | 'rest' | 'order'; field: string }[] {
  const parts = {
    asked: listFilterFields(query.asked),
    rest: listFilterFields(query.rest),
    order: listExportOrders(query).map(({ field }) => field),
  }
  return (['asked', 'rest', 'order'] as const).flatMap((part) => {
    const field = findForeignField(query.list, parts[part])
    return field === undefined ? [] : [{ part, field }]
  })
}
