import type * as z from 'zod'
import * as words from './words/issues'

const formats: Record<string, string> = words.formats

/** A bound with its unit: `2,048 characters`, `1 entry`, or the bare number. */
function formatBound(origin: string, bound: number | bigint): string {
  if (origin === 'string') return words.characters(bound)
  return ['array', 'set', 'map', 'object'].includes(origin) ? words.entries(bound) : words.plainNumber(bound)
}

function describeValues(values: readonly string[]): string {
  const [only] = values
  return values.length === 1 && only !== undefined ? words.mustBe(only) : words.mustBeOneOf(values)
}

function describeZodIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? words.isRequired : words.mustBeA(issue.expected)
    case 'too_big':
      return words.mustBeAtMost(formatBound(issue.origin, issue.maximum))
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? words.mustNotBeEmpty
        : words.mustBeAtLeast(formatBound(issue.origin, issue.minimum))
    case 'invalid_value':
      return describeValues(issue.values.map(String))
    case 'invalid_format':
      return formats[issue.format] ?? words.isNotWrittenAsItMustBe
    default:
      return words.wasNotUnderstood
  }
}

/**
 * An issue as the end of a sentence that begins with the field's name. Messages of our schemas begin in lower case and
 * are used as they are; zod's own begin with a capital and are replaced.
 */
export function describeIssue(issue: z.core.$ZodIssue): string {
  return /^\p{Lu}/u.test(issue.message) ? describeZodIssue(issue) : issue.message
}
