'use client'

import { useMemo } from 'react'
import { readField } from '@/lib/contract/read-field'
import type { TableFilter } from './list-definition'
import type { RowList } from './use-row-list'

/** So many rows are looked at for values; a state that none of them has is typed into the address, or waits for its row. */
const most = 500

/** The values that the first loaded rows have in the fields of open choices, by the filter's id. */
export function useSeenValues<Row>(
  list: RowList<Row>,
  filters: readonly TableFilter[],
): Record<string, readonly string[]> {
  const size = Math.min(most, list.loaded)
  const first = list.loadedAt(0)
  return useMemo(() => {
    const open = filters.filter((filter) => filter.kind === 'choice' && filter.isOpen)
    const rows = Array.from({ length: size }, (_, position) => list.loadedAt(position))
    return Object.fromEntries(
      open.map((filter) => {
        const field = filter.kind === 'choice' ? filter.field : ''
        const values = rows
          .map((row) => readField(row, field))
          .filter((value) => typeof value === 'string' && value !== '')
        return [filter.id, [...new Set(values.map(String))].toSorted()]
      }),
    )
    // oxlint-disable-next-line react/exhaustive-deps -- a further page changes nothing once so many are loaded
  }, [filters, size, first])
}
