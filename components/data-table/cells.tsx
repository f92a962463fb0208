import type { ReactNode } from 'react'
import { dayInZone, formatBusinessDate, formatDay, formatTimestamp, type ShownTime } from '@/lib/format/date'
import { formatMoney } from '@/lib/format/money'
import { showInvisible } from '@/lib/format/show-invisible'
import * as words from '@/lib/words/lists'
import type { CellFacts } from './cell-facts'

/*
 * What cells show. Plain functions without hooks: a dozen rows are drawn in one frame of scrolling.
 */

/** What stands where nothing was said. */
export const nothing = '—'

/** Letters of Latin script, digits and signs: nothing that could turn or hide what stands beside. */
const harmless = /^[\u0020-\u007E\u00A0-\u00AC\u00AE-\u024F]*$/u

/** Text as it came; what turns or hides text is shown, and turns nothing beside it. */
export function textCell(value: string | null | undefined): ReactNode {
  if (!value) return nothing
  return harmless.test(value) ? value : <bdi dir="auto">{showInvisible(value)}</bdi>
}

/** Business days are few, and each is formatted once. */
const days = new Map<string, ShownTime | null>()

/** A day of the scheme's calendar. */
export function dayCell(value: string | null, { schemeZone, locale }: CellFacts): ReactNode {
  if (!value) return nothing
  const key = `${value} ${schemeZone} ${locale}`
  let day = days.get(key)
  if (day === undefined) {
    if (days.size > 5_000) days.clear()
    day = formatBusinessDate(value, schemeZone, locale)
    days.set(key, day)
  }
  return day ? timeCell(day.text, day.dateTime, day.title) : nothing
}

/** The day of a moment in the viewer's zone; its title has the time and the zone. */
export function momentDayCell(value: string | null, { viewerZone, locale }: CellFacts): ReactNode {
  const moment = formatTimestamp(value, viewerZone, locale)
  if (!moment) return nothing
  return timeCell(formatDay(dayInZone(Date.parse(moment.dateTime), viewerZone), locale), moment.dateTime, moment.text)
}

/** A short date, which the grid's keys reach; what it is in full is told under the pointer and the focus. */
function timeCell(text: string, dateTime: string, full: string): ReactNode {
  return (
    <time dateTime={dateTime} title={full} tabIndex={-1}>
      {text}
    </time>
  )
}

/** An id or a handle, and the button that copies it: `name` says which. */
export function keyCell(value: string | null | undefined, name: string): ReactNode {
  if (!value) return nothing
  return (
    <>
      {textCell(value)}
      <button type="button" tabIndex={-1} className="dt-copy" data-copy={value} aria-label={words.copy(name, value)} />
    </>
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
  const told = (
    <>
      {money.text}
      <span className="dt-unit" title={money.note ?? undefined}>
        {textCell(money.currency)}
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
