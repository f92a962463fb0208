import * as z from 'zod'
import type { Endpoint } from '@/lib/contract/endpoint'
import { readPlainText } from './plain-text'

/** Messages per field, keyed by the field's dotted path; '' is the whole. */
export type FieldErrors = Record<string, string[]>

const longestList = 10

function collect(pairs: readonly (readonly [field: string, message: string])[]): FieldErrors {
  const found = new Map<string, string[]>()
  for (const [field, message] of pairs) {
    const messages = found.get(field) ?? []
    if (messages.length < longestList && !messages.includes(message)) found.set(field, [...messages, message])
  }
  return Object.fromEntries(found)
}

/** One issue in few words that follow a field's name. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message
  return issue.message.endsWith('received undefined')
    ? 'is required'
    : `must be ${/^[aeiou]/u.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
}

/** What our own strict parsing found wrong, per field. Unknown fields are named one by one, values never. */
export function readIssues(error: z.ZodError): FieldErrors {
  return collect(
    error.issues.flatMap((issue) => {
      const path = issue.path.map(String)
      if (issue.code !== 'unrecognized_keys') return [[path.join('.'), describeIssue(issue)] as const]
      return issue.keys
        .slice(0, longestList)
        .map((key) => [[...path, key.slice(0, 100)].join('.'), 'is not known'] as const)
    }),
  )
}

/** The fields of a request that messages may be shown against: parameters, query and the body's own fields. */
function listFields({ params, query, body }: Endpoint): string[] {
  const shapes = [query, body].flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []))
  return [...Object.keys(params), ...shapes]
}

function matchField(name: string, fields: readonly string[]): string | undefined {
  const parts = name.replace(/^\$\.?/u, '').split('.')
  // Some frameworks prefix the name of their own argument: `request.Name`.
  for (const [index, part] of parts.slice(0, 2).entries()) {
    const field = fields.find((known) => known.toLowerCase() === part.toLowerCase())
    if (field) return [field, ...parts.slice(index + 1)].join('.')
  }
  return undefined
}

/**
 * Reads the `errors` extension of the service's problem record (field → message or messages, in any
 * letter case, `$.` and dotted paths allowed) as messages against fields of the contract; what names no
 * known field is left out, undefined when nothing remains.
 */
export function readUpstreamErrors(errors: unknown, endpoint: Endpoint): FieldErrors | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined
  const fields = listFields(endpoint)
  const pairs = Object.entries(errors)
    .slice(0, 100)
    .flatMap(([name, messages]) => {
      const field = matchField(name, fields)
      if (!field) return []
      const words = [messages].flat().map(readPlainText)
      return words.flatMap((message) => (message ? [[field, message] as const] : []))
    })
  return pairs.length > 0 ? collect(pairs) : undefined
}
