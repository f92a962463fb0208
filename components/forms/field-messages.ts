import type * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import * as words from '@/lib/words/forms'

/** Messages by the field's dotted path; '' is the whole. */
export type FieldMessages = Record<string, string>

function describe(issue: z.core.$ZodIssue): string {
  const isRecord = issue.code === 'invalid_type' && issue.expected === 'record'
  return isRecord ? words.mustBeAJsonObject : describeIssue(issue)
}

/** What our own check found, one message per field. */
export function readIssues(issues: readonly z.core.$ZodIssue[]): FieldMessages {
  const pairs = issues.map((issue) => [issue.path.map(String).join('.'), describe(issue)] as const)
  // The first message of a field is the one to mend first.
  return Object.fromEntries(pairs.toReversed())
}

/**
 * What the desk's server or the service said of fields (`errors` of a problem record), against the names of
 * a form's fields in any letter case; what names no field of the form is in `others`.
 */
export function readProblemErrors(
  errors: unknown,
  fields: readonly string[],
): { messages: FieldMessages; others: string[] } {
  const messages: FieldMessages = {}
  const others: string[] = []
  if (typeof errors !== 'object' || errors === null) return { messages, others }
  for (const [name, words] of Object.entries(errors)) {
    const said = [words].flat().filter((word): word is string => typeof word === 'string')
    if (said.length === 0) continue
    const field = fields.find((known) => known.toLowerCase() === name.toLowerCase())
    if (field) messages[field] = said.join(' ')
    else others.push(name === '' ? said.join(' ') : `${name}: ${said.join(' ')}`)
  }
  return { messages, others }
}

/** A message as a sentence: those of our own checks follow the field's name. */
export function writeMessage(label: string, message: string | undefined): string | null {
  if (!message) return null
  return /^\p{Ll}/u.test(message) ? `${label} ${message.replace(/\.$/u, '')}.` : message
}
