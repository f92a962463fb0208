'use client'

import { formatBusinessDate, formatTimestamp, type ShownTime } from '@/lib/domain/dates/date'
import { useAppConfig, useViewerZone } from '../layout/app-config'

function Time({ value, shown }: { value: string | null; shown: ShownTime | null }) {
  if (!shown) return <span title={value || undefined}>—</span>
  return (
    <time dateTime={shown.dateTime} title={shown.title} className="whitespace-nowrap">
      {shown.text}
    </time>
  )
}

/** A business date in the scheme's calendar; "—" if missing. */
export function BusinessDate({ value }: { value: string | null }) {
  const { schemeZone, locale } = useAppConfig()
  return <Time value={value} shown={formatBusinessDate(value, schemeZone, locale)} />
}

type TimestampProps = { value: string | null; isExact?: boolean; zone?: string }

/** A timestamp in the viewer's zone unless another is given, with the zone's name, and its seconds if it is to be exact; "—" if missing. */
export function Timestamp({ value, isExact = false, zone }: TimestampProps) {
  const { locale } = useAppConfig()
  const viewerZone = useViewerZone()
  return <Time value={value} shown={formatTimestamp(value, zone ?? viewerZone, locale, isExact)} />
}
