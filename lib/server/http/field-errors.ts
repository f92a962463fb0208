import * as m from '@/lib/messages/m'
import * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { joinMessages } from '@/lib/domain/text/join-messages'
import { toPlainText } from './untrusted-text'

/** Messages per field, keyed by its dotted path; '' is the whole. */
export type FieldErrors = Record<string, string[]>

const MAX_MESSAGES = 10
/** In characters, of a field that the service names. */
const MAX_NAME_LENGTH = 100

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
export function listFields({ params, query, body }: Endpoint): string[] {
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

/** An entry of a list of errors: a message, or a record of it that may name a field in one of the usual ways. */
function parseEntry(element: unknown): [name: string, words: unknown] {
  if (typeof element !== 'object' || element === null) return ['', element]
  const source = readMember(element, ['source', 'target'])
  const named =
    readMember(element, fieldNames) ?? (typeof source === 'object' && source ? readMember(source, fieldNames) : source)
  const name = Array.isArray(named) ? named.join('.') : named
  return [typeof name === 'string' ? name : '', readMember(element, messageNames)]
}

function listEntries(errors: unknown): [name: string, words: unknown][] {
  if (typeof errors === 'string') return [['', errors]]
  if (typeof errors !== 'object' || errors === null) return []
  return Array.isArray(errors) ? errors.map(parseEntry) : Object.entries(errors)
}

/**
 * Parses the `errors` of a refusal by the service into messages for fields of the contract. Accepts an object of messages
 * by field or a list of messages or of entries that may name a field; in any letter case, as dotted path, `$.path` or JSON
 * pointer. Messages for an unknown field are under the name that the service gives, those for none under ''; undefined
 * when there is no message.
 */
export function parseUpstreamErrors(errors: unknown, endpoint: Endpoint): FieldErrors | undefined {
  const fields = listFields(endpoint)
  const pairs = listEntries(errors)
    .slice(0, 100)
    .flatMap(([given, messages]) => {
      const name = toPlainText(given.slice(0, MAX_NAME_LENGTH)) ?? ''
      const field = matchField(name, fields) ?? name
      const texts = [messages]
        .flat()
        .map((one) => toPlainText(typeof one === 'object' && one ? readMember(one, messageNames) : one))
        .filter((message) => message !== undefined)
      return texts.map((message) => [field, message] as const)
    })
  return pairs.length > 0 ? groupByField(pairs) : undefined
}

/** All messages in one line, each field's after its name. */
export function toErrorLine(errors: FieldErrors): string {
  return joinMessages(Object.entries(errors).map(([field, messages]) => `${field} ${joinMessages(messages)}`.trim()))
}
