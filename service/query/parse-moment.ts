const pattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u

/** Reads `2026-11-01` (midnight UTC) or a date-time with its offset; null for anything else and for days that do not exist. */
export function parseMoment(text: string): Date | null {
  const parts = pattern.exec(text)
  if (!parts) return null
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const date = new Date(Date.UTC(2000, 0, 1))
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1) return null
  const read = new Date(text)
  return Number.isNaN(read.getTime()) || read.getUTCFullYear() < 1 || read.getUTCFullYear() > 9999 ? null : read
}
