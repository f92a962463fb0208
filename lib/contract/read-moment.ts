/**
 * A timestamp of the service as milliseconds since 1970, NaN where it is none. The interface says UTC: one
 * written without `Z` or an offset is read so, and not in the zone of whoever reads.
 */
export function readMoment(value: unknown): number {
  if (typeof value !== 'string') return typeof value === 'number' ? value : Number.NaN
  const written = value.trim()
  return Date.parse(/T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/iu.test(written) ? `${written}Z` : written)
}
