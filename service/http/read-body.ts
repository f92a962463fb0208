import * as z from 'zod'
import * as words from '@/lib/contract/words/free-form'
import { isJsonType } from './media-types'
import { Problem } from './problem'
import { readSchema } from './read-schema'

/** How deep arrays and objects may nest; checked before parsing, for readers recurse. */
const deepest = 32

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
      if (depth > deepest) return true
    } else if (character === 93 || character === 125) depth -= 1
  }
  return false
}

function parseJson(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (isTooDeep(text)) throw new Problem('malformed-body', `The body nests deeper than ${deepest} levels.`)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('malformed-body', 'The body is not JSON in UTF-8.')
  }
}

type Unstorable = { field: string; rule: string }

/**
 * The top-level name under which something cannot be stored as it came, and the rule: Postgres takes neither NUL nor
 * lone surrogates, and a key `__proto__` would be dropped on the way. Refused by name rather than changed in silence.
 */
function findUnstorable(value: unknown, path: string): Unstorable | null {
  if (typeof value === 'string')
    return value.isWellFormed() && !value.includes('\0')
      ? null
      : { field: path, rule: words.holdsTextThatCannotBeStored }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, entry] of Object.entries(value)) {
    const inside = path === '' ? key : path
    if (key === '__proto__') return { field: path, rule: words.mustNotHaveAKeyNamed(key) }
    const found = findUnstorable(key, path) ?? findUnstorable(entry, inside)
    if (found !== null) return found
  }
  return null
}

/** Gives the properties of a record the schema's spelling; names are matched without regard to case. */
function respell(schema: z.ZodType, value: unknown): unknown {
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
 * Reads a request body by its schema: media type (415), JSON in UTF-8 of bounded depth, storable text,
 * property names without regard to case, then the contract's rules (400 with messages per field).
 */
export function readBody<Schema extends z.ZodType>(
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
  const value = parseJson(bytes)
  const unstorable = findUnstorable(value, '')
  if (unstorable !== null) {
    const { rule } = unstorable
    const field = unstorable.field === '' ? 'body' : unstorable.field
    throw new Problem('validation', `${field} ${rule}.`, { errors: { [field]: [rule] } })
  }
  return readSchema(schema, respell(schema, value))
}
