/** Whether a name such as `Europe/Copenhagen` is an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function getFormatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formatters.set(zone, made)
  return made
}

/** The offset of a zone from UTC at a time, in milliseconds; positive east of Greenwich. */
function offsetAt(epoch: number, zone: string): number {
  const parts = getFormatter(zone).formatToParts(epoch)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  const wall = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
  return wall - Math.floor(epoch / 1_000) * 1_000
}

/**
 * The timestamp (ms since the epoch) at which clocks in `zone` show `time` (`16:00`) on `day` (`2026-11-20`). A time
 * that occurs twice when clocks go back is the first of the two; one skipped when they go forward is moved by the gap.
 */
export function timestampInZone(day: string, time: string, zone: string): number {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const before = wall - offsetAt(wall - 86_400_000, zone)
  const after = wall - offsetAt(wall + 86_400_000, zone)
  const holds = (epoch: number) => epoch + offsetAt(epoch, zone) === wall
  const [first = before] = [before, after].filter(holds).toSorted((left, right) => left - right)
  return first
}

/** Formats a timestamp as local time with offset (ISO 8601): `2026-11-20T15:03:00.000+01:00`. */
export function formatInZone(epoch: number, zone: string): string {
  const offset = offsetAt(epoch, zone)
  const minutes = Math.abs(Math.round(offset / 60_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  const sign = offset < 0 ? '-' : '+'
  return `${new Date(epoch + offset).toISOString().slice(0, -1)}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}
