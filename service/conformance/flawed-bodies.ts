import fc from 'fast-check'
import type { JsonSchema } from './open-document'
import { validValue } from './valid-values'

const samples: Record<string, unknown> = { string: 'x', integer: 7, boolean: true, object: {}, array: [], null: null }

function nest(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = { inner: value }
  return value
}

/** Values for one property that its schema, or a rule told in the document's words, forbids. */
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

/** Bodies as bytes that the schema of a request body forbids, or that are no JSON. All are to be answered with 400. */
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
    validValue(property).map((value) => {
      const text = JSON.stringify(value)
      return `{${JSON.stringify(name)}:${text},${JSON.stringify(name.toUpperCase())}:${text}}`
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
