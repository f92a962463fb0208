import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { AppError } from '../runtime/app-error'
import { runWithContext } from '../runtime/request-context'
import { startTrace } from '../runtime/trace'
import { getOmissions } from '@/lib/api-contract/record-fields'
import { decodeReply, MAX_REPLY_BYTES } from './reply'

const list = '{"results":[{"id":"æ"}],"hasMore":false}'
const parsed = { results: [{ id: 'æ' }], hasMore: false }
const asIs = (text: string) => text

function read(
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  redact = asIs,
) {
  return decodeReply({ status: 200, headers, body: Buffer.from(body) }, redact)
}

async function isRefused(reply: Promise<unknown>): Promise<boolean> {
  return reply.then(
    () => false,
    (error: unknown) =>
      error instanceof AppError && error.code === 'upstream-bad-reply' && error.evidence.written === true,
  )
}

describe('the media type of a reply', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;CHARSET="UTF-8"',
    'text/json',
    'text/plain',
    'text/plain; charset=us-ascii',
    'application/problem+json',
    'application/vnd.example.v1+json',
  ])('may be %s: the JSON is the same (UP-14)', async (type) => {
    const body = type.includes('ascii') ? list.replace('æ', '\\u00e6') : list
    expect((await read(body, { 'content-type': type })).json).toEqual(parsed)
  })

  it('may be missing (UP-14)', async () => {
    expect(await read(list, {})).toMatchObject({ json: parsed, mediaType: null })
  })

  it.each([
    'text/html',
    'application/octet-stream',
    'text/html; charset=utf-8',
    'application/xml',
    'text/jsonp',
    'json',
    'multipart/form-data; boundary=x',
  ])('must not be %s, whatever the body holds (UP-15)', async (type) => {
    expect(await isRefused(read(list, { 'content-type': type }))).toBe(true)
  })

  it.each(['application/json; charset=utf-16', 'text/plain; charset=iso-8859-1'])('must not be %s', async (type) => {
    expect(await isRefused(read(list, { 'content-type': type }))).toBe(true)
  })

  it.each([
    ['text/html', 'Svaret er text/html, ikke JSON.'],
    ['text/json; charset=utf-16', 'Svaret er skrevet i utf-16, ikke i UTF-8.'],
  ])('%s is refused in the language of the reader', async (type, detail) => {
    const reply = runWithContext({ ...startTrace(), language: 'da' }, () => read(list, { 'content-type': type }))
    await expect(reply).rejects.toMatchObject({ code: 'upstream-bad-reply', evidence: { detail } })
  })

  it('does not matter where there is no body', async () => {
    expect(await read('', { 'content-type': 'text/html' })).toEqual({ mediaType: null, json: undefined, text: '' })
  })
})

describe('plain text', () => {
  const plain = { 'content-type': 'text/plain' }
  it('is a string when it is not JSON', async () => {
    expect((await read('Service is running.', plain)).json).toBe('Service is running.')
  })
  it.each(['{"results":[', '[1,2', ' {"a":1}}'])('that begins like JSON must be JSON: %s', async (body) => {
    expect(await isRefused(read(body, plain))).toBe(true)
  })
})

describe('JSON that is not whole (UP-13)', () => {
  it('may begin with a byte order mark', async () => {
    expect((await read(`\uFEFF${list}`)).json).toEqual(parsed)
  })

  it.each([
    ['cut short', list.slice(0, -3)],
    ['followed by something', `${list};`],
    ['two documents', `${list}${list}`],
    ['two documents in lines', `${list}\n${list}`],
    ['text in quotes that do not close', '"abc'],
    ['with a trailing comma', '{"results":[],}'],
    ['NaN', '{"a":NaN}'],
  ])('is refused: %s', async (_, body) => {
    expect(await isRefused(read(body))).toBe(true)
  })

  it.each([
    ['UTF-16, little end first', Buffer.from(list, 'utf16le')],
    ['UTF-16 with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(list, 'utf16le')])],
    [
      'invalid UTF-8 outside of text',
      Buffer.concat([Buffer.from('{"a":'), Buffer.from([0xc3, 0x28]), Buffer.from('}')]),
    ],
    [
      'invalid UTF-8 that is no record',
      Buffer.concat([Buffer.from('["'), Buffer.from([0xc3, 0x28]), Buffer.from('"]')]),
    ],
    ['UTF-8 cut in a character', Buffer.from(list).subarray(0, 20)],
  ])('is refused: %s', async (_, body) => {
    expect(await isRefused(read(body))).toBe(true)
  })
})

describe('bytes that are not UTF-8 in the text of one record', () => {
  it.each([
    ['a broken pair', [0xc3, 0x28], '\uFFFD('],
    ['a lone surrogate', [0xed, 0xa0, 0x80], '\uFFFD\uFFFD\uFFFD'],
    ['a character cut off by the quote', [0xe2, 0x82], '\uFFFD'],
  ])('are shown as U+FFFD, and the record says so: %s', async (_, bytes, shown) => {
    const body = Buffer.concat([
      Buffer.from('{"results":[{"id":"1","name":"'),
      Buffer.from(bytes),
      Buffer.from('"},{"id":"æ"}]}'),
    ])
    const { json } = await read(body)
    expect(json).toEqual({ results: [{ id: '1', name: shown }, { id: 'æ' }] })
    expect(getOmissions(Object(json))).toEqual([{ field: 'results.1.name', why: 'not-utf8' }])
  })
})

describe('the reason why a reply is refused', () => {
  it.each([
    [list.slice(0, -1), 'The reply is cut off: the JSON is incomplete.'],
    [`${list}${list}`, 'The reply continues after the end of its JSON.'],
    ['{"results":[],}', 'The reply isn’t valid JSON.'],
    ['['.repeat(65) + ']'.repeat(65), 'The reply is nested more than 64 levels deep.'],
    [Buffer.from(list, 'utf16le'), 'The reply isn’t UTF-8.'],
  ])('is told: %#', async (body, detail) => {
    await expect(read(body)).rejects.toMatchObject({ evidence: { detail } })
  })
})

describe('a reply that is too much (UP-28)', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  it('is read to a depth of 64 levels, brackets in strings not counted', async () => {
    expect((await read(deep(64))).json).toBeDefined()
    expect((await read(JSON.stringify(['['.repeat(500), '\\"[['.repeat(50)]))).json).toHaveLength(2)
  })

  it.each([65, 200, 1_000_000])('is refused when it nests %i levels deep', async (levels) => {
    expect(await isRefused(read(deep(levels)))).toBe(true)
  })

  it('keeps no more than ten thousand names of one record, and says so at it, whatever the others have', async () => {
    const record = (names: number) => `{${Array.from({ length: names }, (_, index) => `"k${index}":"a:b"`).join(',')}}`
    expect((await read(`[${record(10_000)},${record(10_000)}]`)).json).toHaveLength(2)
    const { json } = await read(`{"a":[1,2],"b":${record(10_001)}}`)
    expect(getOmissions(Object(json))).toEqual([{ field: 'b', why: 'too-many-names' }])
  })

  it('is undone from its coding', async () => {
    for (const [coding, encode] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding }
      expect((await read(encode(list), headers)).json).toEqual(parsed)
    }
  })

  it('is not blown up past the limit by its coding', async () => {
    const bomb = gzipSync(Buffer.alloc(MAX_REPLY_BYTES * 20, ' '))
    expect(bomb.length).toBeLessThan(MAX_REPLY_BYTES / 20)
    expect(await isRefused(read(bomb, { 'content-type': 'application/json', 'content-encoding': 'gzip' }))).toBe(true)
  })

  it.each(['zstd', 'gzip, gzip', 'compress', 'aws-chunked'])('is refused in the coding %s', async (coding) => {
    expect(await isRefused(read(list, { 'content-type': 'application/json', 'content-encoding': coding }))).toBe(true)
  })

  it('is refused when it is not what its coding says', async () => {
    expect(await isRefused(read(list, { 'content-type': 'application/json', 'content-encoding': 'gzip' }))).toBe(true)
  })
})

describe('keys that change a prototype (UP-29)', () => {
  it('are not there any more, however they were written or deep they lie', async () => {
    const hostile =
      '{"a":{"__proto__":{"isAdmin":true}},"\\u005f_proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'
    const { json } = await read(hostile)
    expect(JSON.stringify(json)).toBe('{"a":{}}')
    expect(Object.assign({}, json)).not.toHaveProperty('isAdmin')
    expect({}).not.toHaveProperty('isAdmin')
  })
})

describe('the credential', () => {
  const redact = (words: string) => words.replaceAll('s3cret-token', '[redacted]').replaceAll('124500', '[redacted]')

  it('is taken out of names, texts and what was left out', async () => {
    const { json, text } = await read(
      '{"token":"s3cret-token","s3cret-token":["a s3cret-token b"],"deep":{"s3cret-token":1,"s3cret-token":2}}',
      undefined,
      redact,
    )
    expect(json).toEqual({ token: '[redacted]', '[redacted]': ['a [redacted] b'], deep: {} })
    expect(getOmissions(json as object)).toEqual([{ field: 'deep.[redacted]', why: 'twice' }])
    expect(text).not.toContain('s3cret')
  })

  it('is taken out however JSON spells it', async () => {
    const both = (words: string) => words.replaceAll('s3cret/token+1', '[redacted]')
    const { json } = await read(
      String.raw`{"php":"s3cret\/token+1","net":["s3cret/token\u002b1"],"\u00733cret/token+1":1}`,
      undefined,
      both,
    )
    expect(json).toEqual({ php: '[redacted]', net: ['[redacted]'], '[redacted]': 1 })
  })

  it('is taken out of what is said of JSON that cannot be read', async () => {
    const told = await read('[{"a":1}, "x", {"s3cret-token":"x', undefined, redact).catch((error: unknown) => error)
    expect(inspect(told, { depth: 9 })).not.toContain('s3cret')
    expect(await isRefused(read('[{"a":1}, "x", {"s3cret-token":"x', undefined, redact))).toBe(true)
  })

  it('leaves numbers as they are, and JSON that is JSON', async () => {
    const secret = (words: string) => words.replaceAll('n124500', '[redacted]').replaceAll('124500', '[redacted]')
    const { json } = await read(String.raw`{"amount":124500,"note":"a\n124500","id":"pay_1"}`, undefined, secret)
    expect(json).toEqual({ amount: 124_500, note: 'a\n[redacted]', id: 'pay_1' })
  })
})
