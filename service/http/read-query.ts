import { Problem } from './problem'

/** Whether text behind percent signs is UTF-8: otherwise it would be read as something that nobody has written. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * The parameters of a query as they were parsed. Throws Problem `validation` for percent signs behind which no
 * UTF-8 stands, and for NUL, which the database cannot be asked about.
 */
export function readQuery(url: string, parsed: unknown): Record<string, unknown> {
  if (!isDecodable(url.slice(url.indexOf('?') + 1)))
    throw new Problem('validation', 'The query is not UTF-8 behind its percent signs.', {
      errors: { query: ['is not UTF-8 behind its percent signs'] },
    })
  const values: Record<string, unknown> = { ...Object(parsed) }
  const unstorable = Object.entries(values).find(([, value]) => typeof value === 'string' && value.includes('\0'))
  if (!unstorable) return values
  const reason = 'holds text that cannot be stored'
  throw new Problem('validation', `${unstorable[0].slice(0, 100)} ${reason}.`, {
    errors: { [unstorable[0].slice(0, 100)]: [reason] },
  })
}
