import type { Json } from './canonical-json'

const longestText = 2_000
const mostMembers = 100
const mostLevels = 8

/** A text as the log can hold it: well-formed, without NUL (which jsonb refuses), at most `most` UTF-16 code units. */
export function boundText(text: string, most = longestText): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text
  return cut.replaceAll('\0', '\u{FFFD}').toWellFormed()
}

/**
 * Facts as the log can hold them, whatever came from outside: texts bounded and well-formed, at most 100
 * members a level and 8 levels, no number that JSON cannot say. What is undefined is left out. Line breaks
 * and control characters stay: JSON escapes them, and whoever shows them must.
 */
export function boundDetails(value: unknown, level = 0): Json {
  if (typeof value === 'string') return boundText(value)
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'object') return typeof value
  if (level >= mostLevels) return '…'
  if (Array.isArray(value)) return value.slice(0, mostMembers).map((one) => boundDetails(one ?? null, level + 1))
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.slice(0, mostMembers).map(([name, member]) => [boundText(name, 200), boundDetails(member, level + 1)]),
  )
}
