'use client'

import { createContext, useContext } from 'react'
import { Input } from '@/components/ui/input'
import type { BulkResultRow } from '@/lib/contract/bulk'
import { reasonLimit } from '@/lib/contract/reason-limit'

/** Reasons by the position of their row, and how one is changed; null where one reason is for all. */
export type Reasons = { read: (row: BulkResultRow) => string; change: (position: number, reason: string) => void }

export const ReasonsContext = createContext<Reasons | null>(null)

/** The reason of one row: as it came with the list, or to be typed where each row has its own. */
export function ReasonCell({ row }: { row: BulkResultRow }) {
  const reasons = useContext(ReasonsContext)
  if (!reasons) return <span className="text-ink-soft">{row.reason ?? ''}</span>
  return (
    <Input
      className="h-8"
      aria-label={`Reason for row ${row.position + 1}`}
      maxLength={reasonLimit}
      value={reasons.read(row)}
      onChange={(event) => reasons.change(row.position, event.target.value)}
    />
  )
}
