import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, OpenDocument, Operation } from './open-document'
import type { RawReply } from './send-raw'

/** Our own replies hold nothing that the document does not name, though it lets others hold more. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects)
  if (typeof value !== 'object' || value === null) return value
  const closed = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]))
  return 'properties' in closed && !('additionalProperties' in closed)
    ? { ...closed, additionalProperties: false }
    : closed
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The reply is no JSON: ${text.slice(0, 200)}`)
  }
}

/**
 * Makes a check of replies against the document: the status is one that the operation names, the headers
 * named there are present, the media type is one of its own, and the body is valid by its schema and holds
 * nothing else. Throws what is wrong.
 */
export function makeChecker({ schemas }: OpenDocument): (operation: Operation, reply: RawReply) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document:', components: { schemas: closeObjects(schemas) } })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  const validatorOf = (schema: JsonSchema): ValidateFunction => {
    const known = compiled.get(schema)
    if (known) return known
    const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document:#/components')))
    compiled.set(schema, made)
    return made
  }

  return (operation, { status, headers, text }) => {
    const described = operation.responses[status]
    if (!described) throw new Error(`${status} is not documented: ${text.slice(0, 300)}`)
    for (const name of Object.keys(described.headers ?? {})) {
      if (headers[name.toLowerCase()] === undefined) throw new Error(`${status} came without ${name}`)
    }
    if (!described.content) {
      if (text !== '') throw new Error(`${status} is documented without a body but has one: ${text.slice(0, 200)}`)
      return
    }
    const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    const schema = described.content[type]?.schema
    if (!schema) throw new Error(`${status} is not documented as ${type || 'a reply without a type'}`)
    const validate = validatorOf(schema)
    const value: unknown = schema.type === 'string' ? text : parse(text)
    if (!validate(value))
      throw new Error(`${status} is not as documented: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`)
  }
}
