'use client'

import { useSyncExternalStore } from 'react'
import type { RowList } from '@/lib/browser/row-list'
import * as words from '@/lib/words/lists'

/** Ticks every row that is loaded and shown, or takes all ticks away. */
export function SelectAll<Row>({ list }: { list: RowList<Row> }) {
  const read = () => list.selected.size > 0 && list.selected.size >= list.size
  const isAll = useSyncExternalStore(list.ticks.subscribe, read, read)
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={words.selectAllLoadedRows}
      checked={isAll}
      onChange={() => (isAll ? list.untickAll() : list.size > 0 && list.tick(0, list.size - 1))}
    />
  )
}
