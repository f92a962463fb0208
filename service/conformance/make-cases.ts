import fc from 'fast-check'
import { hostileTexts, validFilters, validOrders, wrongFilters, wrongOrders } from './filter-texts'
import { flawedBodies, validValue } from './request-values'
import type { JsonSchema, OpenDocument, Operation } from './openapi-document'

/** A generated request. `existing` is replaced by the id or handle of an existing resource when it is sent. */
export type Case = {
  /** What is wrong with it; null if nothing is, `hostile` if it may or may not be valid. */
  flaw: 'credential' | 'parameter' | 'query' | 'body' | 'media' | 'key' | 'hostile' | null
  parameter: { kind: 'existing' } | { kind: 'text'; encoded: string } | null
  query: [string, string][]
  body: { bytes: Buffer; type: string | null; encoding: string | null } | null
  accept: string | null
  /** The Authorization header; `right` is replaced by the merchant's own. */
  authorization: string | null
  /** `fresh` is replaced by a new UUID when it is sent. */
  key: string | null
}

const accepts = fc.constantFrom(
  null,
  '*/*',
  'application/json',
  'text/json',
  'text/plain',
  'application/problem+json',
  'text/html,text/plain;q=0.1',
  'image/png',
  ';;q=,',
  'x'.repeat(2_000),
)
const credentials = fc.constantFrom(
  null,
  '',
  'Basic',
  'Basic !!!',
  'Bearer abc',
  `Basic ${btoa('nobody:')}`,
  `Basic ${btoa(':')}`,
  `Basic ${btoa('a'.repeat(5_000))}`,
  'Basic w6Y6',
)
const wrongKeys = fc.constantFrom('', 'a b', 'æ', 'x'.repeat(256), 'a\tb')
const wrongTypes = fc.constantFrom(
  null,
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  'application/+json',
  'nonsense',
)

/** Percent-encodes a path segment, including dots. */
const encode = (value: string) => encodeURIComponent(value).replaceAll('.', '%2E')

const wrongSegments = [
  'Mandates',
  'AGREEMENTS',
  'wEBHOOKS',
  'Subscribe',
  '%2e',
  '%2E%2e',
  '%2F',
  'a%2Fb',
  '%5C',
  '%00',
  '%0d%0a',
  '%E2%80%8B',
  '%20a',
  'a%25',
  '%3F',
  '%23',
  '%ff',
  '%',
  '%zz',
  'x'.repeat(201),
  encode('æ'.repeat(201)),
]

function parameters(schema: JsonSchema) {
  const right = fc.oneof(
    { arbitrary: fc.constant<Case['parameter']>({ kind: 'existing' }), weight: 3 },
    validValue(schema).map((value): Case['parameter'] => ({ kind: 'text', encoded: encode(String(value)) })),
  )
  const more =
    schema.format === 'uuid'
      ? ['a-handle', 'cu_abcdefgh', '1', '0'.repeat(36), 'g0000000-0000-0000-0000-000000000000']
      : []
  const wrong = fc
    .constantFrom(...wrongSegments, ...more)
    .map((encoded): Case['parameter'] => ({ kind: 'text', encoded }))
  return { right, wrong }
}

function queries(fields: Record<string, string>, limit: JsonSchema) {
  const given = (name: string, value: fc.Arbitrary<unknown>) =>
    value.map((one): [string, string][] => [[name, String(one)]])
  const maybe = (some: fc.Arbitrary<[string, string][]>) => fc.oneof(fc.constant<[string, string][]>([]), some)
  const right = fc
    .tuple(
      maybe(given('filter', validFilters(fields))),
      maybe(given('orderby', validOrders(fields))),
      maybe(given('limit', validValue(limit))),
    )
    .map((parts) => parts.flat())
  const limits = fc.constantFrom('0', '-1', '101', '1e9', '1.5', 'abc', '', ' 1', '0x10', '9'.repeat(400))
  const wrong = fc.oneof(
    given('limit', limits),
    given('after', fc.oneof(fc.base64String({ minLength: 1 }), fc.constantFrom('', 'null', '0', 'x'.repeat(5_000)))),
    given('filter', wrongFilters),
    given('orderby', wrongOrders),
    fc.constant<[string, string][]>([
      ['limit', '1'],
      ['limit', '100'],
    ]),
    fc.constant<[string, string][]>([
      ['filter', "id eq 'a'"],
      ['filter', "id eq 'b'"],
    ]),
    fc
      .constantFrom('Limit', 'offset', 'filter[]', '__proto__', 'constructor')
      .map((name): [string, string][] => [[name, '1']]),
  )
  const hostile = fc
    .tuple(fc.constantFrom('filter', 'orderby'), hostileTexts)
    .map(([name, text]): [string, string][] => [[name, text]])
  return { right, wrong, hostile }
}

const names = (text: string) => [text, text.toUpperCase()]

function bodies(schema: JsonSchema) {
  const type = fc.constantFrom(
    'application/json',
    'text/json',
    'application/vnd.merchant+json',
    'Application/JSON; charset=UTF-8',
  )
  const dress = (bytes: fc.Arbitrary<Buffer>, types: fc.Arbitrary<string | null>): fc.Arbitrary<Case['body']> =>
    fc.record({ bytes, type: types, encoding: fc.constant(null) })
  const bytes = fc.tuple(validValue(schema), fc.integer({ min: 0, max: 1 })).map(([value, spelling]) => {
    const spelled = Object.entries(Object(value)).map(([name, one]) => [names(name)[spelling] ?? name, one])
    return Buffer.from(JSON.stringify(Object.fromEntries(spelled)))
  })
  const compressed = fc.record({
    bytes,
    type: fc.constant('application/json'),
    encoding: fc.constantFrom('gzip', 'br', 'nonsense'),
  })
  return {
    right: dress(bytes, type),
    wrong: dress(flawedBodies(schema), type),
    media: fc.oneof(dress(bytes, wrongTypes), compressed),
  }
}

/** Generates requests for an operation of the document: about half are valid, the others have one flaw each. */
export function makeCases(operation: Operation, { resolve }: OpenDocument): fc.Arbitrary<Case> {
  const schemaOf = (place: string, name?: string) =>
    operation.parameters.find((one) => one.in === place && (name === undefined || one.name === name))?.schema
  const [inPath, limit, key] = [schemaOf('path'), schemaOf('query', 'limit'), schemaOf('header', 'Idempotency-Key')]
  const fields = operation['x-filter-fields']
  const json = operation.requestBody?.content['application/json']?.schema
  const parameter = inPath && parameters(inPath)
  const query = limit && fields && queries(fields, limit)
  const body = json && bodies(resolve(json))

  const right: { [Part in keyof Case]: fc.Arbitrary<Case[Part]> } = {
    flaw: fc.constant<Case['flaw']>(null),
    parameter: parameter?.right ?? fc.constant(null),
    query: query?.right ?? fc.constant<Case['query']>([]),
    body: body?.right ?? fc.constant(null),
    accept: accepts,
    authorization: fc.constant<Case['authorization']>('right'),
    key: fc.constantFrom<Case['key'][]>(...(key ? [null, 'fresh'] : [null])),
  }
  const flawed = (flaw: Case['flaw'], part: Partial<typeof right>) =>
    fc.record({ ...right, ...part, flaw: fc.constant<Case['flaw']>(flaw) })
  const wrong = [
    ...(operation.security ? [] : [flawed('credential', { authorization: credentials })]),
    ...(parameter ? [flawed('parameter', { parameter: parameter.wrong })] : []),
    ...(query ? [flawed('query', { query: query.wrong }), flawed('hostile', { query: query.hostile })] : []),
    ...(body
      ? [
          flawed('body', { body: body.wrong }),
          flawed('body', { body: body.wrong }),
          flawed('media', { body: body.media }),
        ]
      : []),
    ...(key ? [flawed('key', { key: wrongKeys })] : []),
  ]
  const sound = fc.record(right)
  return wrong.length === 0 ? sound : fc.oneof({ arbitrary: sound, weight: wrong.length }, ...wrong)
}
