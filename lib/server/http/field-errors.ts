import * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { toPlainText } from './untrusted-text'

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

/** What our own strict parsing found wrong, per field. Unknown fields are named one by one, values never. */
export function toFieldErrors(error: z.ZodError): FieldErrors {
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

const bare = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/gu, '')

/** The steps of a path to a field, however it is written: `$.a.b`, `a.b`, `/a/b` (a JSON pointer), `a[0].b`. */
function readSteps(name: string): string[] {
  const path = name.replace(/^[#$]/u, '')
  const steps = path.startsWith('/') ? path.split('/') : path.replaceAll(/\[(['"]?)([^\]]*?)\1\]/gu, '.$2').split('.')
  return steps.filter((step) => step !== '')
}

function matchField(name: string, fields: readonly string[]): string | undefined {
  const steps = readSteps(name)
  // Some frameworks prefix the name of their own argument, or the part of the request: `request.Name`, `body.name`.
  for (const [index, step] of steps.slice(0, 3).entries()) {
    const field = fields.find((known) => bare(known) === bare(step))
    if (field) return [field, ...steps.slice(index + 1)].join('.')
  }
  return undefined
}

const fieldNames = ['field', 'name', 'property', 'propertyname', 'path', 'pointer', 'param', 'parameter', 'loc', 'key']
const messageNames = [
  'message',
  'errormessage',
  'detail',
  'description',
  'reason',
  'issue',
  'msg',
  'title',
  'error',
  'text',
]

function readMember(record: object, names: readonly string[]): unknown {
  const members = Object.entries(record)
  for (const name of names) {
    const found = members.find(([key, value]) => key.toLowerCase() === name && value !== null && value !== '')
    if (found) return found[1]
  }
  return undefined
}

/** One element of a list of errors: a record that names a field, in one of the usual ways, and says what is wrong. */
function readElement(element: unknown): [name: string, words: unknown][] {
  if (typeof element !== 'object' || element === null) return []
  const source = readMember(element, ['source', 'target'])
  const named =
    readMember(element, fieldNames) ?? (typeof source === 'object' && source ? readMember(source, fieldNames) : source)
  const name = Array.isArray(named) ? named.join('.') : named
  const words = readMember(element, messageNames)
  return typeof name === 'string' ? [[name, words]] : []
}

/**
 * Reads the `errors` of the service's refusal as messages against fields of the contract: field → message or messages,
 * or a list of records that name a field, in any letter case, as dotted path, as `$.path` or as JSON pointer. What
 * names no known field is left out, undefined when nothing remains.
 */
export function parseUpstreamErrors(errors: unknown, endpoint: Endpoint): FieldErrors | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined
  const fields = listFields(endpoint)
  const entries = Array.isArray(errors) ? errors.flatMap(readElement) : Object.entries(errors)
  const pairs = entries.slice(0, 100).flatMap(([name, messages]) => {
    const field = matchField(name, fields)
    if (!field) return []
    const told = [messages].flat().map((one) => (typeof one === 'object' && one ? readMember(one, messageNames) : one))
    return told.map(toPlainText).flatMap((message) => (message ? [[field, message] as const] : []))
  })
  return pairs.length > 0 ? collect(pairs) : undefined
}
