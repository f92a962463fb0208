'use client'

import type { ReactNode } from 'react'
import type { ShownTime } from '@/lib/domain/dates/date'
import { formatShortDay, formatShortTimestamp } from '@/lib/domain/dates/short-date'
import { escapeInvisible } from '@/lib/domain/text/visible-text'
import { useMerchantAddress, useAppConfig, useViewerZone } from '../layout/app-config'
import { copyValue } from './grid-actions'
import * as m from '@/lib/messages/m'

export const emptyValue = '—'

/** Latin letters, digits and signs: nothing that changes text direction or hides its neighbours. */
const PLAIN_LATIN = /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u024F]*$/u

/** Untrusted text: characters that are invisible or change text direction are made visible and isolated. */
export function showText(value: string | null | undefined): ReactNode {
  if (!value) return emptyValue
  return PLAIN_LATIN.test(value) ? value : <bdi dir="auto">{escapeInvisible(value)}</bdi>
}

/** The row's name as a link to its page; the grid handles a plain click itself. */
export function LinkCell({ value, page }: { value: string | null | undefined; page: string | null }) {
  const addressOf = useMerchantAddress()
  if (!page) return showText(value)
  return (
    <a href={addressOf(page)} tabIndex={-1}>
      {showText(value)}
    </a>
  )
}

type KeyCellProps = {
  value: string | null | undefined
  /** What the value is, such as "handle". */
  name: string
  /** Shown in place of the plain value. */
  children?: ReactNode
}

/** An id or handle with a copy button. */
export function KeyCell({ value, name, children }: KeyCellProps) {
  if (!value) return emptyValue
  return (
    <>
      {children ?? showText(value)}
      <button
        type="button"
        tabIndex={-1}
        className="dt-copy"
        aria-label={m.controls_copy({ name })}
        onClick={() => void copyValue(value)}
      />
    </>
  )
}

/** A short date that the grid's keys can focus; TimestampTooltip shows its description in full. */
function renderShortDate(shown: ShownTime | null): ReactNode {
  if (!shown) return emptyValue
  return (
    <time dateTime={shown.dateTime} aria-description={shown.title} tabIndex={-1}>
      {shown.text}
    </time>
  )
}

/** A business date in the scheme's calendar. The full text adds the weekday and the zone. */
export function DayCell({ value }: { value: string | null }) {
  const { schemeZone, locale } = useAppConfig()
  return renderShortDate(value ? formatShortDay(value, schemeZone, locale) : null)
}

/** The day of a timestamp in the viewer's zone. The full text adds the time and the zone. */
export function TimestampCell({ value }: { value: string | null }) {
  const { locale } = useAppConfig()
  const zone = useViewerZone()
  return renderShortDate(value ? formatShortTimestamp(value, zone, locale) : null)
}
