import * as z from 'zod'
import { describeIssue } from '@/lib/api-contract/describe-issue'
import { findLoss, type Loss } from '@/lib/api-contract/json-loss'
import { Problem } from './problem'
import { isJsonType } from './reply'
import * as m from '@/lib/messages/m'

/** Limits the length of a caller's name in messages. */
const truncateName = (name: string) => name.slice(0, 100)

/** Parses by a contract schema. Throws Problem `validation` with messages per field, which never repeat values. */
export function parseWithSchema<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const errors = new Map<string, string[]>()
  const add = (name: string, message: string) =>
    errors.set(truncateName(name), [...(errors.get(truncateName(name)) ?? []), message])
  for (const issue of read.error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys.slice(0, 20)) add(key, 'is not known here')
    else add(issue.path.map(String).join('.') || 'body', describeIssue(issue))
  }
  const detail = [...errors].map(([name, messages]) => `${name}: ${messages.join(', ')}`).join('; ')
  throw new Problem('validation', `${detail.slice(0, 500)}.`, { errors: Object.fromEntries(errors) })
}

/** Whether percent-encoded text is UTF-8; otherwise parsers would substitute characters. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * The parameters of a query string. Throws Problem `validation` for percent-encoding that is not UTF-8 and for NUL,
 * which the database cannot handle.
 */
export function parseQuery(url: string, parsed: unknown): Record<string, unknown> {
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

/** Maximum nesting of arrays and objects. Checked before parsing, because parsers recurse. */
const MAX_DEPTH = 32

function isTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (quoted) {
      if (character === 92) index += 1
      else if (character === 34) quoted = false
    } else if (character === 34) quoted = true
    else if (character === 91 || character === 123) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (character === 93 || character === 125) depth -= 1
  }
  return false
}

function parseJson(bytes: Buffer): { text: string; value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (isTooDeep(text)) throw new Problem('malformed-body', `The body nests deeper than ${MAX_DEPTH} levels.`)
    return { text, value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('malformed-body', 'The body is not JSON in UTF-8.')
  }
}

type Refusal = { field: string; rule: string }

function refuseLoss(loss: Loss): Refusal {
  const { field, isInside } = loss
  if ('number' in loss) return { field, rule: 'holds a number that would be another whole number as a double' }
  return { field, rule: isInside ? 'holds a name twice' : 'stands there twice' }
}

/**
 * The top-level name under which a value cannot be stored unchanged, and the rule it violates: Postgres accepts neither
 * NUL nor lone surrogates, and parsing would drop a key `__proto__`. Refused rather than changed silently.
 */
function findUnstorable(value: unknown, path: string): Refusal | null {
  if (typeof value === 'string')
    return value.isWellFormed() && !value.includes('\0')
      ? null
      : { field: path, rule: m.freeForm_holdsTextThatCannotBeStored() }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, entry] of Object.entries(value)) {
    const inside = path === '' ? key : path
    if (key === '__proto__') return { field: path, rule: m.freeForm_mustNotHaveAKeyNamed({ key }) }
    const found = findUnstorable(key, path) ?? findUnstorable(entry, inside)
    if (found !== null) return found
  }
  return null
}

/** Renames the properties of a record to the schema's spelling; names are matched case-insensitively. */
function normalizePropertyNames(schema: z.ZodType, value: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const spelling = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]))
  const respelled = new Map<string, unknown>()
  for (const [key, entry] of Object.entries(value)) {
    const name = spelling.get(key.toLowerCase()) ?? key
    if (respelled.has(name))
      throw new Problem('validation', `${name} stands there twice.`, { errors: { [name]: ['stands there twice'] } })
    respelled.set(name, entry)
  }
  return Object.fromEntries(respelled)
}

/**
 * Parses a request body: media type (415), JSON in UTF-8 of bounded depth, text that can be stored and numbers that are
 * kept, property names once and regardless of case, then the contract's schema (400 with messages per field).
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Buffer,
  headers: { type?: string; encoding?: string },
): z.output<Schema> {
  if (headers.encoding && headers.encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported-media-type', 'A compressed body is not accepted.')
  }
  if (bytes.length === 0 && headers.type === undefined)
    throw new Problem('validation', 'A JSON body is needed.', { errors: { body: ['is needed'] } })
  if (!isJsonType(headers.type)) {
    throw new Problem(
      'unsupported-media-type',
      'The body must be application/json, text/json or application/*+json, in UTF-8.',
    )
  }
  const { text, value } = parseJson(bytes)
  const loss = findLoss(text)
  const refusal = findUnstorable(value, '') ?? (loss && refuseLoss(loss))
  if (refusal !== null) {
    const { rule } = refusal
    const field = refusal.field === '' ? 'body' : truncateName(refusal.field)
    throw new Problem('validation', `${field} ${rule}.`, { errors: { [field]: [rule] } })
  }
  return parseWithSchema(schema, normalizePropertyNames(schema, value))
}
