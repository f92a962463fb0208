import type { ReactNode } from 'react'
import { dayInZone, formatBusinessDate, formatDay, formatTimestamp } from '@/lib/format/date'
import { formatMoney } from '@/lib/format/money'
import type { CellFacts } from './cell-facts'

/*
 * What cells show. Plain functions without hooks: a dozen rows are drawn in one frame of scrolling.
 */

/** What stands where nothing was said. */
export const nothing = '—'

/** Text as it came. */
export function textCell(value: string | null | undefined): ReactNode {
  return value || nothing
}

/** Business days are few, and each is formatted once. */
const days = new Map<string, string>()

/** A day of the scheme's calendar. */
export function dayCell(value: string | null, { schemeZone, locale }: CellFacts): ReactNode {
  if (!value) return nothing
  const key = `${value} ${schemeZone} ${locale}`
  let day = days.get(key)
  if (day === undefined) {
    if (days.size > 5_000) days.clear()
    day = formatBusinessDate(value, schemeZone, locale)?.text ?? nothing
    days.set(key, day)
  }
  return day
}

/** A moment in the viewer's zone. */
export function momentCell(value: string | null, { viewerZone, locale }: CellFacts): ReactNode {
  const moment = formatTimestamp(value, viewerZone, locale)
  return moment ? (
    <time dateTime={moment.dateTime} title={moment.title}>
      {moment.text}
    </time>
  ) : (
    nothing
  )
}

/** The day of a moment in the viewer's zone; its title has the time and the zone. */
export function momentDayCell(value: string | null, { viewerZone, locale }: CellFacts): ReactNode {
  const moment = formatTimestamp(value, viewerZone, locale)
  if (!moment) return nothing
  return (
    <time dateTime={moment.dateTime} title={moment.text}>
      {formatDay(dayInZone(Date.parse(moment.dateTime), viewerZone), locale)}
    </time>
  )
}

/** An amount and the code of its currency. */
export function amountCell(
  amount: number | string | null,
  currency: string | null,
  { amounts, locale }: CellFacts,
): ReactNode {
  const money = formatMoney(amount, currency, amounts, locale)
  if (money.kind === 'none') return <span title={money.note ?? undefined}>{money.text}</span>
  return (
    <>
      {money.text}
      <span className="dt-unit" title={money.note ?? undefined}>
        {money.currency || nothing}
      </span>
    </>
  )
}
