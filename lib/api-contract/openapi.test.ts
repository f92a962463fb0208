import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { agreement } from './agreements'
import { customer } from './customers'
import { documentedRecords } from './documented-records'
import { endpoints } from './endpoints'
import { jsonSchemaOf } from './openapi-operation'
import { mandate } from './mandates'
import { makeOpenapi } from './openapi'
import { explainSegment, segment } from './path-segment'
import { payment } from './payments'
import { problemRecord } from './problem'

const document = makeOpenapi([{ type: 'https://example.com/not-found', status: 404, title: 'Nothing is there' }])
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 with all references resolved', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
    expect(() => validator.resolveRefs()).not.toThrow()
  })

  it('is refused by the same validator once a member is wrong, so that validity means something', async () => {
    const broken = structuredClone(document)
    broken.paths['/Customers'] = { get: { responses: 'none' } }
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  it('has every endpoint once, under its own id and with its decisions', () => {
    expect(operations).toHaveLength(18)
    for (const { id, method, decisions } of Object.values(endpoints)) {
      const [found, ...more] = operations.filter(({ operation }) =>
        JSON.stringify(operation).includes(`"operationId":"${id}"`),
      )
      expect(more).toEqual([])
      expect(found?.method).toBe(method.toLowerCase())
      for (const decision of decisions)
        expect(found?.operation).toMatchObject({ description: expect.stringContaining(decision) })
    }
  })

  it('has no two paths that differ in the names of parameters alone', () => {
    const erased = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/gu, '{}'))
    expect(new Set(erased).size).toBe(erased.length)
  })

  it('shows the limit of lists as the interface documents it', () => {
    const lists = operations.filter(({ operation }) => JSON.stringify(operation).includes('"name":"limit"'))
    expect(lists.map(({ path }) => path)).toEqual(['/Customers', '/Customers/mandates', '/Payments'])
    for (const { operation } of lists) {
      expect(JSON.stringify(operation)).toContain(
        '"schema":{"type":"integer","format":"int32","minimum":1,"maximum":100,"default":20}',
      )
    }
  })

  it('tells the catalogue of problems that it was given', () => {
    expect(document.info.description).toContain('| 404 | `https://example.com/not-found` | Nothing is there |')
  })
})

describe('the documented records', () => {
  const readings: ['Customer' | 'Mandate' | 'Payment', { shape: object }][] = [
    ['Customer', customer],
    ['Mandate', mandate],
    ['Payment', payment],
  ]
  it.each(readings)('%s has exactly the fields that are read', (name, reading) => {
    expect(Object.keys(documentedRecords[name].shape)).toEqual(Object.keys(reading.shape))
  })

  it.each([
    ['Agreement', agreement],
    ['Problem', problemRecord],
  ] as const)('%s has all fields that are read', (name, reading) => {
    expect(Object.keys(documentedRecords[name].shape)).toEqual(expect.arrayContaining(Object.keys(reading.shape)))
  })
})

it('writes the rules for a path segment as a pattern that agrees with them', () => {
  const { pattern } = jsonSchemaOf(segment)
  const rule = new RegExp(String(pattern), 'u')
  const values = [
    'a',
    'cu_abc',
    '.',
    '..',
    '...',
    'a b',
    ' a',
    'a ',
    'a/b',
    'a\\b',
    'a%',
    'a?',
    'a#',
    'a;',
    '\0',
    '\u200b',
  ]
  for (const value of [...values, 'mandates', 'Webhooks', 'mandates2', 'x.webhooks', 'æøå', '山田', '👨‍👩'])
    expect([value, rule.test(value)]).toEqual([value, explainSegment(value) === null])
})
