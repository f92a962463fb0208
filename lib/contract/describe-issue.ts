import type * as z from 'zod'

const formats: Record<string, string> = {
  email: 'must be an e-mail address',
  url: 'must be an address',
  uuid: 'must be a UUID',
}

/** How much there must be, of what: `2,048 characters`, `1 entry`, or the bare number. */
function writeBound(origin: string, bound: number | bigint): string {
  const number = bound.toLocaleString('en')
  if (origin === 'string') return `${number} ${number === '1' ? 'character' : 'characters'}`
  if (['array', 'set', 'map', 'object'].includes(origin)) return `${number} ${number === '1' ? 'entry' : 'entries'}`
  return number
}

function describePlainly(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is required'
        : `must be ${/^[aeiou]/u.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    case 'too_big':
      return `must be at most ${writeBound(issue.origin, issue.maximum)}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be at least ${writeBound(issue.origin, issue.minimum)}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'invalid_format':
      return formats[issue.format] ?? 'is not written as it must be'
    default:
      return 'was not understood'
  }
}

/** One issue in few words that follow a field's name: the schema's own, which begin small, or plain ones for zod's. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  return /^\p{Lu}/u.test(issue.message) ? describePlainly(issue) : issue.message
}
