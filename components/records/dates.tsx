'use client'

import { formatBusinessDate, formatTimestamp } from '@/lib/domain/date'
import { useAppConfig, useViewerZone } from '../layout/app-config'

/** A day of the scheme's calendar; "—" where there is none. */
export function BusinessDate({ value }: { value: string | null }) {
  const { schemeZone, locale } = useAppConfig()
  const shown = formatBusinessDate(value, schemeZone, locale)
  if (!shown) return <span title={value || undefined}>—</span>
  return (
    <time dateTime={shown.dateTime} title={shown.title} className="whitespace-nowrap">
      {shown.text}
    </time>
  )
}

/** A moment in the viewer's zone, which is named; "—" where there is none. */
export function Timestamp({ value }: { value: string | null }) {
  const { locale } = useAppConfig()
  const zone = useViewerZone()
  const shown = formatTimestamp(value, zone, locale)
  if (!shown) return <span title={value || undefined}>—</span>
  return (
    <time dateTime={shown.dateTime} title={shown.title} className="whitespace-nowrap">
      {shown.text}
    </time>
  )
}
