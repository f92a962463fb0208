'use client'

import * as words from '@/lib/words/lists'
import type { Selection } from './use-selection'

/** Ticks every row that is loaded and shown, or takes all ticks away. */
export function SelectAll<Row>({ selection }: { selection: Selection<Row> }) {
  const { isAll } = selection
  return (
    <input
      ref={(box) => {
        if (!box) return
        // It may have been ticked before React came.
        box.checked = isAll
        box.indeterminate = selection.count > 0 && !isAll
      }}
      type="checkbox"
      tabIndex={-1}
      aria-label={words.selectAllLoadedRows}
      checked={isAll}
      onChange={() => (isAll ? selection.clear() : selection.tickAll())}
    />
  )
}
