import { joinEnglish, referenceTexts } from './reference-texts'

/** One field in the reference. */
export type Field = { name: string; type: string; isRequired: boolean; note: string | null }

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The name at the end of a `$ref`, such as "Customer". */
function readRef(schema: Record<string, unknown>): string | null {
  return typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? null) : null
}

function describeType(schema: unknown): string {
  if (!isRecord(schema)) return referenceTexts.anything
  const ref = readRef(schema)
  if (ref) return ref
  const variants = [schema.anyOf, schema.oneOf].find((given) => Array.isArray(given))
  if (Array.isArray(variants)) return joinEnglish([...new Set(variants.map(describeType))], 'disjunction')
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(', ')
  if (schema.type === 'array') return `list of ${describeType(schema.items)}`
  if (schema.type === 'object' && isRecord(schema.properties)) return `{ ${Object.keys(schema.properties).join(', ')} }`
  const types = [schema.type].flat().filter((one) => typeof one === 'string')
  const type = joinEnglish(types, 'disjunction')
  return [type || referenceTexts.anything, typeof schema.format === 'string' ? schema.format : '']
    .filter(Boolean)
    .join(', ')
}

/** Describes the constraints of a value. */
function describeBounds(schema: Record<string, unknown>): string | null {
  const { minLength, maxLength, minimum, maximum } = schema
  const bounds = [
    typeof maxLength === 'number'
      ? `${typeof minLength === 'number' ? minLength : 0} to ${maxLength} characters`
      : null,
    typeof minimum === 'number' && typeof maximum === 'number' && maximum < 1e15 ? `${minimum} to ${maximum}` : null,
    'default' in schema ? `default ${String(schema.default)}` : null,
  ].filter(Boolean)
  return bounds.length > 0 ? bounds.join(', ') : null
}

/** The fields of an object's JSON Schema in order; none for other types. */
export function listSchemaFields(schema: unknown): Field[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return []
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, value]) => {
    const held = isRecord(value) ? value : {}
    const notes = [typeof held.description === 'string' ? held.description : null, describeBounds(held)].filter(Boolean)
    return {
      name,
      type: describeType(value),
      isRequired: required.includes(name),
      note: notes.length > 0 ? notes.join(' ') : null,
    }
  })
}
