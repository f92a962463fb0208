const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}[\d:.]*) ?(Z|[+-]\d{2}:?\d{2})?$/iu

/**
 * A timestamp of the service as milliseconds since 1970, NaN where it is none. The interface says UTC: one
 * written without `Z` or an offset is read so, and not in the zone of whoever reads.
 */
export function readMoment(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'number' ? value : Number.NaN
  const written = value.trim()
  const [, day, time, zone = 'Z'] = parts.exec(written) ?? []
  return Date.parse(day ? `${day}T${time}${zone.replace(/:?(\d{2})$/u, ':$1')}` : written)
}
