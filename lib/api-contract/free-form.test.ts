import { expect, it } from 'vitest'
import * as z from 'zod'
import { freeForm } from './free-form'
import { jsonSchemaOf } from './openapi-operation'

const record = z.strictObject({ metaData: freeForm.optional() })
const read = (json: string) => record.safeParse(JSON.parse(json))
const nest = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

it.each([
  '{"__proto__":{"polluted":true}}',
  '{"a":{"__proto__":1}}',
  '{"a":[{"__proto__":1}]}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":[[{"prototype":1}]]}',
])('refuses %s by the name of the key, and pollutes nothing (XS-04)', (json) => {
  const { success, error } = read(`{"metaData":${json}}`)
  expect(success).toBe(false)
  expect(error?.issues).toEqual([
    expect.objectContaining({ path: ['metaData'], message: expect.stringMatching(/^must not have a key named /u) }),
  ])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

it.each([
  ['a thousand levels', nest(1_000), 'levels deep'],
  ['21 levels', nest(21), 'levels deep'],
  [
    '501 keys',
    JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`k${at}`, at]))),
    'at most 500',
  ],
  ['NUL', String.raw`{"a":"\u0000"}`, 'can’t be stored'],
  ['a lone surrogate as key', String.raw`{"\ud800":1}`, 'can’t be stored'],
])('refuses %s', (_name, json, message) => {
  expect(JSON.stringify(read(`{"metaData":${json}}`).error?.issues)).toContain(message)
})

it.each(['[]', '"text"', 'null', '7'])('refuses %s, which is no object', (json) => {
  expect(read(`{"metaData":${json}}`).success).toBe(false)
})

it('keeps what is plain as it came, and may be left out', () => {
  const value = { name: 'Ann', list: [1, null, { deep: { toString: 'x' } }] }
  expect(record.parse({ metaData: value })).toEqual({ metaData: value })
  expect(record.parse({})).toEqual({})
  expect(read(`{"metaData":${nest(19)}}`).success).toBe(true)
})

it('is described as an object of any members', () => {
  expect(jsonSchemaOf(record)).toMatchObject({
    properties: { metaData: { type: 'object', additionalProperties: true } },
  })
  expect(jsonSchemaOf(record)).not.toHaveProperty('required')
})
