'use client'

import { createContext, useContext } from 'react'
import { Said } from '@/components/said'
import { Input } from '@/components/ui/input'
import type { BulkResultRow } from '@/lib/contract/bulk'
import { reasonLimit } from '@/lib/contract/reason-limit'
import * as words from '@/lib/words/bulk-cancellation'

/** Reasons by the position of their row, and how one is changed. */
export type Reasons = { read: (row: BulkResultRow) => string; change: (position: number, reason: string) => void }

/** `as-given`: as they came with the list, for who may only look. */
export const ReasonsContext = createContext<Reasons | 'as-given'>('as-given')

/** The reason of one row: as it came with the list, or to be typed where each row has its own. */
export function ReasonCell({ row }: { row: BulkResultRow }) {
  const reasons = useContext(ReasonsContext)
  if (reasons === 'as-given')
    return (
      <span className="text-ink-soft">
        <Said>{row.reason ?? ''}</Said>
      </span>
    )
  return (
    <Input
      className="h-8 w-full max-md:h-11"
      aria-label={words.reasonForRow(row.position + 1)}
      placeholder={words.noReasonForThisRow}
      maxLength={reasonLimit}
      value={reasons.read(row)}
      onChange={(event) => reasons.change(row.position, event.target.value)}
    />
  )
}
