import * as z from 'zod'
import * as words from './words/free-form'

const deepest = 20
const mostKeys = 500

function measure(value: unknown, depth: number, count: { keys: number }): string | null {
  if (depth > deepest) return words.mustBeAtMostLevelsDeep(deepest)
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0')))
    return words.holdsTextThatCannotBeStored
  if (typeof value !== 'object' || value === null) return null
  for (const [key, entry] of Object.entries(value)) {
    count.keys += 1
    if (count.keys > mostKeys) return words.mustHaveAtMostKeys(mostKeys)
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') return words.mustNotHaveAKeyNamed(key)
    if (!key.isWellFormed() || key.includes('\0')) return words.hasAKeyThatCannotBeStored
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
