import { dayInZone, formatBusinessDate, formatDay, formatTimestamp, type ShownTime } from './date'

type FormatDate = (value: string, zone: string, locale: string) => ShownTime | null

/** The same few days are rendered again and again; formatting them is the expensive part of a list's cell. */
function memoizeFormat(format: FormatDate): FormatDate {
  const cache = new Map<string, ShownTime | null>()
  return (value, zone, locale) => {
    const key = `${value} ${zone} ${locale}`
    let shown = cache.get(key)
    if (shown === undefined) {
      if (cache.size > 5_000) cache.clear()
      shown = format(value, zone, locale)
      cache.set(key, shown)
    }
    return shown
  }
}

/** A business date as a day, with the weekday and the zone as its title. */
export const formatShortDay = memoizeFormat(formatBusinessDate)

/** The day of a timestamp in a zone, with the whole timestamp as its title. */
export const formatShortTimestamp = memoizeFormat((value, zone, locale) => {
  const timestamp = formatTimestamp(value, zone, locale)
  if (!timestamp) return null
  const { dateTime } = timestamp
  const text = formatDay(dateTime.includes('T') ? dayInZone(Date.parse(dateTime), zone) : dateTime, locale)
  return { text, dateTime, title: timestamp.text }
})
