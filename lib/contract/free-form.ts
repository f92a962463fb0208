import * as z from 'zod'

const deepest = 20
const mostKeys = 500

function measure(value: unknown, depth: number, count: { keys: number }): string | null {
  if (depth > deepest) return `must be at most ${deepest} levels deep`
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0')))
    return 'holds text that cannot be stored'
  if (typeof value !== 'object' || value === null) return null
  for (const [key, entry] of Object.entries(value)) {
    count.keys += 1
    if (count.keys > mostKeys) return `must have at most ${mostKeys} keys`
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') return `must not have a key named ${key}`
    if (!key.isWellFormed() || key.includes('\0')) return 'has a key that cannot be stored'
    const reason = measure(entry, depth + 1, count)
    if (reason) return reason
  }
  return null
}

/**
 * A free-form object (metaData, schemeData): JSON of bounded depth and size, without keys that pollute
 * prototypes. It is measured as it came: parsing a record drops a key `__proto__` without a word.
 */
export const freeForm = z.preprocess(
  (value, context) => {
    const reason = measure(value, 1, { keys: 0 })
    if (reason) context.addIssue({ code: 'custom', message: reason })
    return reason ? z.NEVER : value
  },
  z.record(z.string(), z.json()),
)
