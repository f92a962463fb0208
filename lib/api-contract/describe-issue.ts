import type * as z from 'zod'
import * as m from '../messages/m'

/** By the name of the format. */
const formats: Record<string, () => string> = {
  email: m.issues_formatsEmail,
  url: m.issues_formatsUrl,
  uuid: m.issues_formatsUuid,
}

/** A bound with its unit: `2,048 characters`, `1 entry`, or the bare number. */
function formatBound(origin: string, bound: number | bigint): string {
  if (origin === 'string') return m.issues_characters({ count: Number(bound) })
  return ['array', 'set', 'map', 'object'].includes(origin)
    ? m.issues_entries({ count: Number(bound) })
    : m.issues_plainNumber({ number: Number(bound) })
}

function describeValues(values: readonly string[]): string {
  const [only] = values
  return values.length === 1 && only !== undefined
    ? m.issues_mustBe({ value: only })
    : m.issues_mustBeOneOf({ values: values.join(', ') })
}

function describeZodIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? m.issues_isRequired()
        : m.issues_mustBeA({ type: issue.expected })
    case 'too_big':
      return m.issues_mustBeAtMost({ bound: formatBound(issue.origin, issue.maximum) })
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? m.issues_mustNotBeEmpty()
        : m.issues_mustBeAtLeast({ bound: formatBound(issue.origin, issue.minimum) })
    case 'invalid_value':
      return describeValues(issue.values.map(String))
    case 'invalid_format':
      return (formats[issue.format] ?? m.issues_isNotWrittenAsItMustBe)()
    default:
      return m.issues_wasNotUnderstood()
  }
}

/**
 * An issue as the end of a sentence that begins with the field's name. Messages of our schemas begin in lower case and
 * are used as they are; zod's own begin with a capital and are replaced.
 */
export function describeIssue(issue: z.core.$ZodIssue): string {
  return /^\p{Lu}/u.test(issue.message) ? describeZodIssue(issue) : issue.message
}
