import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getOmissions } from '@/lib/api-contract/record-fields'
import { JsonError, parseTolerantJson } from './tolerant-json'
import { parseJson, parseReply } from './parse-json'

/** Guarantee: tests only read omissions of parsed records. */
const notesOf = (value: unknown) => getOmissions(Object(value))
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const names = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')

function findFault(read: () => unknown): JsonError | null {
  try {
    read()
    return null
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
}

describe('the numbers of a reply', () => {
  it('keep the digits of whole numbers that a double would round', () => {
    const text =
      '{"id":1234567890123456789,"list":[-9007199254740993, 9007199254740991],"s":"12345678901234567890 \\" 1"}'
    expect(parseReply(text)).toEqual({
      id: '1234567890123456789',
      list: ['-9007199254740993', 9_007_199_254_740_991],
      s: '12345678901234567890 " 1',
    })
  })

  it('keep them wherever a number may stand', () => {
    expect(parseReply('1234567890123456789')).toBe('1234567890123456789')
    expect(parseReply('[ -9007199254740993\n,9007199254740995]')).toEqual(['-9007199254740993', '9007199254740995'])
    expect(parseReply('{"a\\\\":9007199254740993,"b\\"":"x"}')).toEqual({ 'a\\': '9007199254740993', 'b"': 'x' })
  })

  it('are text where no double is as large', () => {
    expect(parseReply('[1e400,-1E999]')).toEqual(['1e400', '-1E999'])
  })

  it('are left as they are otherwise', () => {
    const numbers = '[1e21, 0.5, -12.25, 12345678901234567.5]'
    expect(parseReply(numbers)).toEqual(JSON.parse(numbers))
    expect(findFault(() => parseReply('[0123456789012345678]'))?.why).toBe('invalid')
    expect(findFault(() => parseReply('{1234567890123456789:1}'))?.why).toBe('invalid')
  })
})

describe('what a record of a reply holds that cannot be taken', () => {
  const long = 'x'.repeat(100_001)
  it.each([
    ['__proto__', '{"m":{"a":1,"__proto__":{"x":1}}}', { m: { a: 1 } }, 'm.__proto__', 'unsafe-key'],
    ['__proto__, escaped', '{"\\u005f_proto_\\u005F":null,"a":1}', { a: 1 }, '__proto__', 'unsafe-key'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2,"a":1}', { a: 1 }, '__proto__', 'unsafe-key'],
    ['constructor.prototype', '{"constructor":{"prototype":1},"a":1}', { a: 1 }, 'constructor', 'unsafe-key'],
    ['a name twice', '{"status":"Pending","a":1,"status":"Settled"}', { a: 1 }, 'status', 'twice'],
    ['a name twice, escaped', '{"id":"1","a":1,"\\u0069d":"2"}', { a: 1 }, 'id', 'twice'],
    ['a name three times', '{"a":1,"b":1,"b":2,"b":1}', { a: 1 }, 'b', 'twice'],
    ['a name twice, the last too long', `{"a":1,"b":1,"b":"${long}"}`, { a: 1 }, 'b', 'too-long'],
    ['a text too long', `{"a":1,"m":["${long}"]}`, { a: 1, m: [null] }, 'm.1', 'too-long'],
    ['a name too long', `{"a":1,"${long}":1}`, { a: 1 }, `${'x'.repeat(60)}…`, 'too-long'],
    [
      'nesting too deep',
      `{"a":1,"b":${'['.repeat(64)}${']'.repeat(64)}}`,
      expect.anything(),
      expect.stringMatching(/^b\.1\.1/u),
      'too-deep',
    ],
    [
      'nesting far too deep',
      `{"a":1,"b":${'['.repeat(1e6)}${']'.repeat(1e6)}}`,
      expect.anything(),
      expect.stringMatching(/^b\.1\.1/u),
      'too-deep',
    ],
    ['too many names', `{"m":{${names(10_001)}}}`, expect.anything(), 'm', 'too-many-names'],
  ])('is left out and noted: %s', (_name, text, rest, field, why) => {
    const entry: unknown = parseReply(`[{"good":1},${text}]`)
    const [good, marked] = Array.isArray(entry) ? entry : []
    expect(notesOf(good)).toEqual([])
    expect(marked).toEqual(rest)
    expect(notesOf(marked)).toEqual([{ field, why }])
  })

  it('is noted at every record around it, by the path from there', () => {
    const value: unknown = parseReply('{"results":[{},{"m":{"list":[{"__proto__":1}]}}]}')
    expect(notesOf(value)).toEqual([{ field: 'results.2.m.list.1.__proto__', why: 'unsafe-key' }])
    expect(notesOf(Reflect.get(Object(value), 'results')[1])).toEqual([
      { field: 'm.list.1.__proto__', why: 'unsafe-key' },
    ])
  })

  it('is not a name that is given twice with one value, nor one that only looks like a prototype', () => {
    const text = '{"a":{"x":[1]},"a":{"x":[1]},"constructor":null,"prototype":{},"toString":1,"hasOwnProperty":2}'
    const value: unknown = parseReply(text)
    expect(value).toEqual(JSON.parse(text))
    expect(notesOf(value)).toEqual([])
  })

  it('is noted at most twenty times at one record, however often it comes', () => {
    const value: unknown = parseReply(
      `{"m":{${'"__proto__":1,'.repeat(500)}${names(30).replaceAll(':1', ':{"__proto__":1}')}}}`,
    )
    expect(notesOf(value)).toHaveLength(20)
  })

  it('is a reason to refuse the whole where it lies in no record', () => {
    expect(findFault(() => parseReply(`${'['.repeat(65)}${']'.repeat(65)}`))?.why).toBe('too-deep')
    // Refused before its end.
    expect(findFault(() => parseReply('['.repeat(2_000_000)))?.why).toBe('too-deep')
    expect(findFault(() => parseReply(`"${long}`))?.why).toBe('cut-off')
  })

  it('is what bytes that are not UTF-8 became; an id with such bytes is left out', () => {
    const value: unknown = parseReply('{"id":"a\uFFFD","name":"S\uFFFDren","n":1}', { isLossy: true })
    expect(value).toEqual({ name: 'S\uFFFDren', n: 1 })
    expect(notesOf(value)).toEqual([
      { field: 'id', why: 'not-utf8' },
      { field: 'name', why: 'not-utf8' },
    ])
    expect(notesOf(parseReply('{"name":"S\uFFFDren"}'))).toEqual([])
  })
})

describe('JSON that is sent to us', () => {
  it.each([
    ['{"metaData":{"__proto__":{"x":1}}}', 'unsafe-key', 'metaData.__proto__'],
    ['{"metaData":{"constructor":{"prototype":1}}}', 'unsafe-key', 'metaData.constructor'],
    ['{"name":"a","name":"b"}', 'twice', 'name'],
    [deep(65), 'too-deep', expect.stringMatching(/^a\.a/u)],
    [`{"a":{${names(10_001)}}}`, 'too-many-names', 'a'],
    ['{"a":9007199254740993}', 'inexact', 'a'],
    ['{"m":{"list":[1,{"n":-12345678901234567890}]}}', 'inexact', 'm.list.2.n'],
    ['[1,900719925474099.3e1]', 'inexact', '2'],
    ['{"a":1e400}', 'inexact', 'a'],
    ['{"a":1e-400}', 'inexact', 'a'],
    ['{"a":0.99999999999999999}', 'inexact', 'a'],
    ['9007199254740993', 'inexact', ''],
    ['{"a":1', 'cut-off', ''],
    ['{"a":"x', 'cut-off', ''],
    ['"', 'cut-off', ''],
    ['[tru', 'cut-off', ''],
    ['{}{}', 'trailing', ''],
    ['{"a":1};', 'trailing', ''],
    ['{"a":NaN}', 'invalid', ''],
    ['{"a":1,}', 'invalid', ''],
    ['["\u0001"]', 'invalid', ''],
    ['["\\x"]', 'invalid', ''],
  ])('is refused with the reason: %s', (text, why, field) => {
    expect(findFault(() => parseJson(text))).toMatchObject({ why, field })
  })

  it('may hold numbers of any size that stay what they are', () => {
    const numbers = '[9007199254740991,-9007199254740992,1e21,10000000000000000000000,0.1,1.5e300]'
    expect(parseJson(numbers)).toEqual(JSON.parse(numbers))
  })

  it('may hold long text', () => {
    expect(parseJson(`"${'x'.repeat(1_000_000)}"`)).toHaveLength(1_000_000)
  })
})

const key = fc.constantFrom('__proto__', '\\u005f_proto__', 'constructor', 'prototype', 'id', 'a', '\\u0061', '')
const leaf = fc.constantFrom('1', '"x"', 'null', '{"polluted":true}', '12345678901234567', '1e999')
const { hostile } = fc.letrec<{ hostile: string; list: string; record: string }>((tie) => ({
  hostile: fc.oneof({ maxDepth: 5 }, leaf, tie('list'), tie('record')),
  list: fc.array(tie('hostile'), { maxLength: 4 }).map((entries) => `[${entries.join(',')}]`),
  record: fc
    .array(fc.tuple(key, tie('hostile')), { maxLength: 5 })
    .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(' , ')}}`),
}))

describe('any JSON', () => {
  it('is read as JSON.parse reads it where nothing is amiss', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!/\d{16}|__proto__|e\+?\d{3}/u.test(text))
        const read = JSON.parse(text)
        expect(parseReply(text)).toEqual(read)
        expect(parseJson(text)).toEqual(read)
        expect(parseTolerantJson(text, { faults: 'mark' })).toEqual(read)
      }),
    )
  })

  it('is JSON for the careful reader exactly where it is for JSON.parse', () => {
    const broken = fc
      .tuple(
        fc.oneof(fc.json(), hostile),
        fc.nat(),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', '\\', ' ', 't', '\u00A0'),
      )
      .map(([text, at, inserted]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + inserted + text.slice(place + (at % 2))
      })
    const isJson = (read: () => unknown) => {
      try {
        read()
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(broken, (text) => {
        const inRecord = `{"r":${text}}`
        expect(isJson(() => parseReply(inRecord))).toBe(isJson(() => JSON.parse(inRecord)))
      }),
      { numRuns: 3_000 },
    )
  })

  it('pollutes nothing, whatever is done with what was read of it', () => {
    const check = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      expect(Object.hasOwn(value, '__proto__')).toBe(false)
      expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(value))
      expect(Reflect.get(Object.assign({}, value), 'polluted')).toBe(Reflect.get(value, 'polluted'))
      for (const held of Object.values(value)) check(held)
    }
    fc.assert(
      fc.property(hostile, (text) => {
        check(parseReply(`{"r":${text}}`))
        findFault(() => check(parseJson(text)))
        expect(Reflect.get({}, 'polluted')).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
  })
})
