'use client'

import { useSyncExternalStore } from 'react'
import type { RowList } from '@/lib/browser/row-list'
import * as words from '@/lib/words/lists'

/** Ticks every row that is loaded and shown, or takes all ticks away. */
export function SelectAll<Row>({ list }: { list: RowList<Row> }) {
  const { selection } = list
  const read = () => selection.keys.size > 0 && selection.keys.size >= list.size
  const isAll = useSyncExternalStore(selection.changes.subscribe, read, read)
  const readAny = () => selection.keys.size > 0
  const isSome = useSyncExternalStore(selection.changes.subscribe, readAny, readAny) && !isAll
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = isSome
      }}
      type="checkbox"
      tabIndex={-1}
      aria-label={words.selectAllLoadedRows}
      checked={isAll}
      onChange={() => (isAll ? selection.clear() : list.size > 0 && selection.tick(0, list.size - 1))}
    />
  )
}
