'use client'

import { formatTimestamp } from '@/lib/format/date'
import { useDeskFacts, useViewerZone } from './desk-facts'

/** A moment in the viewer's zone, which is named; "—" where there is none. */
export function Timestamp({ value }: { value: string | null }) {
  const { locale } = useDeskFacts()
  const zone = useViewerZone()
  const shown = formatTimestamp(value, zone, locale)
  if (!shown) return <span title={value || undefined}>—</span>
  return (
    <time dateTime={shown.dateTime} title={shown.title} className="whitespace-nowrap">
      {shown.text}
    </time>
  )
}
