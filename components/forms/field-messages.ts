import type * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import { joinMessages } from '@/lib/domain/text/join-messages'
import * as m from '@/lib/messages/m'

/** Messages by dotted field path; '' is the whole form. */
export type FieldMessages = Record<string, string>

function describe(issue: z.core.$ZodIssue): string {
  const isRecord = issue.code === 'invalid_type' && issue.expected === 'record'
  return isRecord ? m.forms_mustBeAJsonObject() : describeIssue(issue)
}

/** Converts issues of our own validation, one message per field; that of a list's item is the message of its field. */
export function toFieldMessages(issues: readonly z.core.$ZodIssue[], fields: readonly string[]): FieldMessages {
  const pairs = issues.map((issue) => {
    const path = issue.path.map(String).join('.')
    return [fields.find((field) => path.startsWith(`${field}.`)) ?? path, describe(issue)] as const
  })
  // Reversed, so that the first message of a field wins.
  return Object.fromEntries(pairs.toReversed())
}

/**
 * Matches the `errors` of problem details to a form's fields, ignoring case; messages about other fields go to
 * `others`.
 */
export function matchProblemErrors(
  errors: unknown,
  fields: readonly string[],
): { messages: FieldMessages; others: string[] } {
  const messages: FieldMessages = {}
  const others: string[] = []
  if (typeof errors !== 'object' || errors === null) return { messages, others }
  for (const [name, texts] of Object.entries(errors)) {
    const strings = [texts].flat().filter((word): word is string => typeof word === 'string')
    if (strings.length === 0) continue
    const field = fields.find((known) => known.toLowerCase() === name.toLowerCase())
    if (field) messages[field] = joinMessages(strings)
    else others.push(...(name === '' ? strings : [`${name}: ${joinMessages(strings)}`]))
  }
  return { messages, others }
}

/** A message as a sentence: our own validation messages start with the field's name. */
export function formatMessage(label: string, message: string | undefined): string | null {
  if (!message) return null
  return /^\p{Ll}/u.test(message) ? `${label} ${message.replace(/\.$/u, '')}.` : message
}
