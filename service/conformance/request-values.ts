import fc from 'fast-check'
import type { JsonSchema } from './openapi-document'

/** Whether a database can store the text. Lengths are in UTF-16 code units, as in the document. */
const storable = (value: string) => value.isWellFormed() && !value.includes('\0')
const anyText = (max: number) => fc.string({ unit: 'binary', maxLength: Math.min(max, 40) }).filter(storable)

const forbidden = ['__proto__', 'constructor', 'prototype']
const anyKey = fc.string({ unit: 'binary', maxLength: 12 }).filter((key) => storable(key) && !forbidden.includes(key))

/** Small JSON values for free-form fields. */
const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e300, ''),
    anyText(20),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 3 }),
  ),
})).value

/** Callback addresses whose names the tests' resolver does not know, so that nothing is sent to them. */
const anyCallback = fc
  .tuple(fc.constantFrom(':443', ':8443', ''), fc.integer({ min: 1, max: 254 }), fc.webPath(), fc.webQueryParameters())
  .map(([port, host, path, query]) => `https://hooks-${host}.merchant.example${port}${path}${query ? `?${query}` : ''}`)

function validText({ minLength = 0, maxLength = 200, pattern, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()))
  if (format === 'uri') return anyCallback
  const [min, max] = [Number(minLength), Number(maxLength)]
  const rule = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /(?:)/u
  return fc
    .oneof(
      { arbitrary: anyText(max), weight: 4 },
      fc.constantFrom('x'.repeat(max), 'æ'.repeat(max), "O'Neill", 'Familien 👨‍👩‍👧 Holm', 'יעל', '%_\\', '{}', 'null'),
    )
    .filter((value) => value.length >= min && value.length <= max && rule.test(value))
}

function validObject({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  if (additionalProperties !== false) return fc.dictionary(anyKey, anyJson, { maxKeys: 5 })
  const members = Object.fromEntries(
    Object.entries(Object(properties)).map(([name, schema]) => [name, validValue(Object(schema))]),
  )
  return fc.record(members, {
    requiredKeys: Array.isArray(required) ? required.map(String) : [],
    noNullPrototype: true,
  })
}

/** Values that a request schema allows. Supports the kinds of schema in the document's requests. */
export function validValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return validText(schema)
    case 'integer':
      return fc.integer({ min: Number(schema.minimum), max: Number(schema.maximum) })
    case 'boolean':
      return fc.boolean()
    case 'object':
      return validObject(schema)
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}`)
  }
}

const samples: Record<string, unknown> = { string: 'x', integer: 7, boolean: true, object: {}, array: [], null: null }

function nest(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = { inner: value }
  return value
}

/** Values for one property that its schema or the document's prose forbids. */
function flawedValues(schema: JsonSchema): unknown[] {
  const wrongType = Object.entries(samples).flatMap(([type, value]) => (type === schema.type ? [] : [value]))
  if (schema.type === 'string') {
    const tooLong = 'x'.repeat(Number(schema.maxLength) + 1)
    const blank = schema.minLength === 1 ? [''] : []
    return [...wrongType, ...blank, tooLong, '\0', 'a\ud800b', '\udc00']
  }
  if (schema.type !== 'object') return wrongType
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`key${index}`, index]))
  return [
    ...wrongType,
    many,
    nest(25),
    nest(200),
    { a: { constructor: 1 } },
    { prototype: {} },
    { '\0': 1 },
    { a: ['\ud800'] },
  ]
}

const notObjects = ['null', '[]', '"text"', '7', 'true', '[{}]']
const notJson = [
  '',
  ' ',
  '{',
  '{"name":"x"',
  '{"name":"x",}',
  "{'name':'x'}",
  '{} {}',
  'undefined',
  '{"a":NaN}',
  '\uFEFF{',
]

/** Request bodies that violate the schema or are no JSON. All must be answered with 400. */
export function flawedBodies(schema: JsonSchema): fc.Arbitrary<Buffer> {
  const properties: [string, JsonSchema][] = Object.entries(Object(schema.properties))
  const required: string[] = Array.isArray(schema.required) ? schema.required.map(String) : []
  const valid = validValue(schema).map((value): Record<string, unknown> => ({ ...Object(value) }))
  const broken = properties.flatMap(([name, property]) =>
    flawedValues(property).map((flaw) => valid.map((body) => JSON.stringify({ ...body, [name]: flaw }))),
  )
  const missing = required.map((name) =>
    valid.map((body) => JSON.stringify(Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)))),
  )
  const unknown = valid.map((body) => JSON.stringify({ ...body, notDocumented: 1 }))
  const polluting = valid.map((body) =>
    JSON.stringify(body).replace(/^\{/u, '{"__proto__":{"polluted":true},').replace(',}', '}'),
  )
  const twice = properties.map(([name, property]) =>
    fc.tuple(validValue(property), fc.constantFrom(name, name.toUpperCase())).map(([value, again]) => {
      const text = JSON.stringify(value)
      return `{${JSON.stringify(name)}:${text},${JSON.stringify(again)}:${text}}`
    }),
  )
  const text = fc.oneof(
    ...broken,
    ...missing,
    unknown,
    polluting,
    ...twice,
    fc.constantFrom(...notObjects),
    fc.constantFrom(...notJson),
  )
  const cutCharacter = Buffer.from([0x22, 0xff, 0x22])
  return fc.oneof({ arbitrary: text.map((body) => Buffer.from(body)), weight: 30 }, fc.constant(cutCharacter))
}
