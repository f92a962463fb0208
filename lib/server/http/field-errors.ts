import * as m from '@/lib/messages/m'
import * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { toPlainText } from './untrusted-text'

/** Messages per field, keyed by its dotted path; '' is the whole. */
export type FieldErrors = Record<string, string[]>

const MAX_MESSAGES = 10

function groupByField(pairs: readonly (readonly [field: string, message: string])[]): FieldErrors {
  const errors = new Map<string, string[]>()
  for (const [field, message] of pairs) {
    const messages = errors.get(field) ?? []
    if (messages.length < MAX_MESSAGES && !messages.includes(message)) errors.set(field, [...messages, message])
  }
  return Object.fromEntries(errors)
}

/** The errors of our own strict parsing, per field. Unknown fields are listed individually, without values. */
export function toFieldErrors(error: z.ZodError): FieldErrors {
  return groupByField(
    error.issues.flatMap((issue) => {
      const path = issue.path.map(String)
      if (issue.code !== 'unrecognized_keys') return [[path.join('.'), describeIssue(issue)] as const]
      return issue.keys
        .slice(0, MAX_MESSAGES)
        .map((key) => [[...path, key.slice(0, 100)].join('.'), m.fields_isUnknown()] as const)
    }),
  )
}

/** The request fields that messages can refer to: parameters, query and top level of the body. */
function listFields({ params, query, body }: Endpoint): string[] {
  const shapes = [query, body].flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []))
  return [...Object.keys(params), ...shapes]
}

const normalize = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/gu, '')

/** The segments of a field's path in any notation: `$.a.b`, `a.b`, `/a/b` (a JSON pointer), `a[0].b`. */
function parseFieldPath(name: string): string[] {
  const path = name.replace(/^[#$]/u, '')
  const steps = path.startsWith('/') ? path.split('/') : path.replaceAll(/\[(['"]?)([^\]]*?)\1\]/gu, '.$2').split('.')
  return steps.filter((step) => step !== '')
}

function matchField(name: string, fields: readonly string[]): string | undefined {
  const steps = parseFieldPath(name)
  // Some frameworks prepend the name of their argument or of the request's part: `request.Name`, `body.name`.
  for (const [index, step] of steps.slice(0, 3).entries()) {
    const field = fields.find((known) => normalize(known) === normalize(step))
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

/** An entry of a list of errors, naming a field in one of the usual ways, with its message. */
function parseEntry(element: unknown): [name: string, words: unknown][] {
  if (typeof element !== 'object' || element === null) return []
  const source = readMember(element, ['source', 'target'])
  const named =
    readMember(element, fieldNames) ?? (typeof source === 'object' && source ? readMember(source, fieldNames) : source)
  const name = Array.isArray(named) ? named.join('.') : named
  const message = readMember(element, messageNames)
  return typeof name === 'string' ? [[name, message]] : []
}

/**
 * Parses the `errors` of a refusal by the service into messages for fields of the contract. Accepts an object of messages
 * by field or a list of entries naming a field; in any letter case, as dotted path, `$.path` or JSON pointer. Entries
 * for unknown fields are dropped; undefined when none remains.
 */
export function parseUpstreamErrors(errors: unknown, endpoint: Endpoint): FieldErrors | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined
  const fields = listFields(endpoint)
  const entries = Array.isArray(errors) ? errors.flatMap(parseEntry) : Object.entries(errors)
  const pairs = entries.slice(0, 100).flatMap(([name, messages]) => {
    const field = matchField(name, fields)
    if (!field) return []
    const texts = [messages].flat().map((one) => (typeof one === 'object' && one ? readMember(one, messageNames) : one))
    return texts.map(toPlainText).flatMap((message) => (message ? [[field, message] as const] : []))
  })
  return pairs.length > 0 ? groupByField(pairs) : undefined
}
