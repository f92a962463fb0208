'use client'

import type { ReactNode } from 'react'
import { dayInZone, formatBusinessDate, formatDay, formatTimestamp, type ShownTime } from '@/lib/domain/date'
import { formatMoney } from '@/lib/domain/money'
import { escapeInvisible } from '@/lib/domain/visible-text'
import * as words from '@/lib/words/lists'
import { useMerchantAddress, useAppConfig, useViewerZone } from '../layout/app-config'
import { copyValue } from './grid-actions'

/** What stands where nothing was said. */
export const emptyValue = '—'

/** Letters of Latin script, digits and signs: nothing that could turn or hide what stands beside. */
const harmless = /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u024F]*$/u

/** Text as it came; what turns or hides text is shown, and turns nothing beside it. */
export function showText(value: string | null | undefined): ReactNode {
  if (!value) return emptyValue
  return harmless.test(value) ? value : <bdi dir="auto">{escapeInvisible(value)}</bdi>
}

/** What one would call a row by, and the link to its page; the grid opens the row at a plain click. */
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
  /** Which one it is, such as "handle". */
  name: string
  /** What is shown for it where that is more than its text. */
  children?: ReactNode
}

/** An id or a handle, and the button that copies it. */
export function KeyCell({ value, name, children }: KeyCellProps) {
  if (!value) return emptyValue
  return (
    <>
      {children ?? showText(value)}
      <button
        type="button"
        tabIndex={-1}
        className="dt-copy"
        aria-label={words.copy(name, value)}
        onClick={() => void copyValue(value)}
      />
    </>
  )
}

type AmountCellProps = { amount: number | string | null; currency: string | null }

/** An amount and the code of its currency. */
export function AmountCell({ amount, currency }: AmountCellProps) {
  const { amounts, locale } = useAppConfig()
  const money = formatMoney(amount, currency, amounts, locale)
  if (money.kind === 'none') return <span title={money.note ?? undefined}>{money.text}</span>
  const told = (
    <>
      {`${money.text}\u00A0`}
      <span className="dt-unit" title={money.note ?? undefined}>
        {showText(money.currency)}
      </span>
    </>
  )
  if (money.kind !== 'raw' || !money.note) return told
  return (
    <span className="dt-raw">
      {told} <span className="dt-note">{money.note}</span>
    </span>
  )
}

type Show = (value: string, zone: string, locale: string) => ShownTime | null

/** Days are few, and the same ones are drawn again and again: what was shown lately is not formatted anew. */
function keepShown(show: Show): Show {
  const kept = new Map<string, ShownTime | null>()
  return (value, zone, locale) => {
    const key = `${value} ${zone} ${locale}`
    let shown = kept.get(key)
    if (shown === undefined) {
      if (kept.size > 5_000) kept.clear()
      shown = show(value, zone, locale)
      kept.set(key, shown)
    }
    return shown
  }
}

const showDay = keepShown(formatBusinessDate)

const showMomentDay = keepShown((value, zone, locale) => {
  const moment = formatTimestamp(value, zone, locale)
  if (!moment) return null
  const text = formatDay(dayInZone(Date.parse(moment.dateTime), zone), locale)
  return { text, dateTime: moment.dateTime, title: moment.text }
})

/** A short date that the grid's keys reach; what it is in full is told under the pointer and the focus (moment-tip.tsx). */
function shortDate(shown: ShownTime | null): ReactNode {
  if (!shown) return emptyValue
  return (
    <time dateTime={shown.dateTime} aria-description={shown.title} tabIndex={-1}>
      {shown.text}
    </time>
  )
}

/** A day of the scheme's calendar; in full with the weekday and the zone. */
export function DayCell({ value }: { value: string | null }) {
  const { schemeZone, locale } = useAppConfig()
  return shortDate(value ? showDay(value, schemeZone, locale) : null)
}

/** The day of a moment in the viewer's zone; in full with the time and the zone. */
export function TimestampCell({ value }: { value: string | null }) {
  const { locale } = useAppConfig()
  const zone = useViewerZone()
  return shortDate(value ? showMomentDay(value, zone, locale) : null)
}
