import * as z from 'zod'

import * as m from '../messages/m'
const MAX_DEPTH = 20
const MAX_KEYS = 500

/** Why a value is no acceptable free-form object, or null. `count.keys` adds up the keys of the whole object. */
function explainFreeForm(value: unknown, depth: number, count: { keys: number }): string | null {
  if (depth > MAX_DEPTH) return m.freeForm_mustBeAtMostLevelsDeep({ levels: MAX_DEPTH })
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0')))
    return m.freeForm_holdsTextThatCannotBeStored()
  if (typeof value !== 'object' || value === null) return null
  for (const [key, entry] of Object.entries(value)) {
    count.keys += 1
    if (count.keys > MAX_KEYS) return m.freeForm_mustHaveAtMostKeys({ keys: MAX_KEYS })
    if (key === '__proto__' || key === 'constructor' || key === 'prototype')
      return m.freeForm_mustNotHaveAKeyNamed({ key })
    if (!key.isWellFormed() || key.includes('\0')) return m.freeForm_hasAKeyThatCannotBeStored()
    const reason = explainFreeForm(entry, depth + 1, count)
    if (reason) return reason
  }
  return null
}

/**
 * A free-form object (metaData, schemeData): JSON of bounded depth and size, without keys that pollute prototypes.
 * Checked before parsing, because parsing a record silently drops a key `__proto__`.
 */
export const freeForm = z.preprocess(
  (value, context) => {
    const reason = explainFreeForm(value, 1, { keys: 0 })
    if (reason) context.addIssue({ code: 'custom', message: reason })
    return reason ? z.NEVER : value
  },
  z.record(z.string(), z.json()),
)
