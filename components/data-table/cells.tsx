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

type Show = (value: string, zone: string, locale: string) => ShownTime | null

/** Days are few, and the same rows are drawn again and again: what was shown lately is not formatted anew. */
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

const showBusinessDay = keepShown(formatBusinessDate)

const showMoment = keepShown((value, zone, locale) => {
  const moment = formatTimestamp(value, zone, locale)
  if (!moment) return null
  const text = formatDay(dayInZone(Date.parse(moment.dateTime), zone), locale)
  return { text, dateTime: moment.dateTime, title: moment.text }
})

/** A day of the scheme's calendar, short; its title has the weekday and the zone. */
export function showDay(value: string | null, { schemeZone, locale }: CellFacts): ShownTime | null {
  return value ? showBusinessDay(value, schemeZone, locale) : null
}

/** The day of a moment in the viewer's zone; its title has the time and the zone. */
export function showMomentDay(value: string | null, { viewerZone, locale }: CellFacts): ShownTime | null {
  return value ? showMoment(value, viewerZone, locale) : null
}

/** What one would call a row by, and the link to its page; the grid opens the row at a plain click. */
export function linkCell(value: string | null | undefined, page: string | null, { address }: CellFacts): ReactNode {
  if (!page) return textCell(value)
  return (
    <a href={address(page)} tabIndex={-1}>
      {textCell(value)}
    </a>
  )
}

/** An id or a handle, and the button that copies it: `name` says which. `shown` stands for it where it is more than its text. */
export function keyCell(value: string | null | undefined, name: string, shown: ReactNode = textCell(value)): ReactNode {
  if (!value) return nothing
  return (
    <>
      {shown}
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
      {`${money.text}\u00A0`}
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
