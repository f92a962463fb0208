'use client'

import { useMemo, useSyncExternalStore } from 'react'
import type { RowList } from '@/lib/browser/row-list'
import { readField } from '@/lib/contract/read-field'
import type { TableFilter } from './define-table'

/** So many rows are looked at for values; a state that none of them has is typed into the address, or waits for its row. */
const most = 500

/** The values that the first loaded rows have in the fields of open choices, by the filter's id. */
export function useSeenValues<Row>(
  list: RowList<Row>,
  filters: readonly TableFilter[],
): Record<string, readonly string[]> {
  const readSize = () => Math.min(most, list.rows.end)
  const size = useSyncExternalStore(list.changes.subscribe, readSize, readSize)
  return useMemo(() => {
    const open = filters.filter((filter) => filter.kind === 'choice' && filter.isOpen)
    const rows = Array.from({ length: size }, (_, position) => list.rows.at(position))
    return Object.fromEntries(
      open.map((filter) => {
        const field = filter.kind === 'choice' ? filter.field : ''
        const values = rows
          .map((row) => readField(row, field))
          .filter((value) => typeof value === 'string' && value !== '')
        return [filter.id, [...new Set(values.map(String))].toSorted()]
      }),
    )
  }, [list, filters, size])
}
