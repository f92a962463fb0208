'use client'

import { formatBusinessDate } from '@/lib/format/date'
import { useDeskFacts } from './desk-facts'

/** A day of the scheme's calendar; "—" where there is none. */
export function BusinessDate({ value }: { value: string | null }) {
  const { schemeZone, locale } = useDeskFacts()
  const shown = formatBusinessDate(value, schemeZone, locale)
  if (!shown) return <span title={value || undefined}>—</span>
  return (
    <time dateTime={shown.dateTime} title={shown.title} className="whitespace-nowrap">
      {shown.text}
    </time>
  )
}
