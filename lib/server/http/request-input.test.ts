import { describe, expect, it } from 'vitest'
import { readRequestBody, readRequestQuery } from './request-input'

const url = 'http://127.0.0.1/x'
const json = { 'content-type': 'application/json' }

function post(body: BodyInit | null, headers: Record<string, string> = json): Request {
  // `duplex` is required for streams but missing in the platform's types.
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return new Request(url, init)
}

/** An endless body that counts how much of it was read. */
function makeEndless(): { stream: ReadableStream<Uint8Array>; taken: () => number; cancelled: () => boolean } {
  let taken = 0
  let cancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
    cancel() {
      cancelled = true
    },
  })
  return { stream, taken: () => taken, cancelled: () => cancelled }
}

describe('the body of a request', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'is read as %s',
    async (type) => {
      expect(await readRequestBody(post('{"text":"æ"}', { 'content-type': type }))).toEqual({ text: 'æ' })
    },
  )

  it('is undefined where there is none', async () => {
    expect(await readRequestBody(new Request(url))).toBeUndefined()
    expect(await readRequestBody(post(null, {}))).toBeUndefined()
    expect(await readRequestBody(post(''))).toBeUndefined()
  })

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json, text/plain', {}],
    ['application/jsonx', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('is not read as %s %j', async (type, headers) => {
    await expect(readRequestBody(post('{}', { 'content-type': type, ...headers }))).rejects.toMatchObject({
      status: 415,
    })
  })

  it('is not read without a content type', async () => {
    await expect(readRequestBody(post(new Uint8Array([0x7b, 0x7d]), {}))).rejects.toMatchObject({ status: 415 })
  })

  it.each([
    ['cut short', '{"a":'],
    ['two documents', '{}{}'],
    ['too deep', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['far too deep', '['.repeat(500_000)],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['UTF-16', new Uint8Array(Buffer.from('{"a":1}', 'utf16le'))],
  ])('that is %s is 400', async (_, body) => {
    await expect(readRequestBody(post(body))).rejects.toMatchObject({ status: 400 })
  })

  it.each([
    ['{"metaData":{"a":1,"__proto__":{"x":1}}}', 'metaData', 'must not have a key named __proto__'],
    ['{"schemeData":{"a":[{"constructor":{"prototype":1}}]}}', 'schemeData', 'must not have a key named constructor'],
    ['{"name":"a","name":"b"}', 'name', 'is given twice, with different values'],
  ])('with what cannot be taken as it stands is refused by the field and the rule: %s', async (body, field, rule) => {
    await expect(readRequestBody(post(body))).rejects.toMatchObject({
      status: 400,
      evidence: { errors: { [field]: [rule] } },
    })
  })

  it.each([
    ['{"a":1', 'The body is cut off: the JSON is incomplete.'],
    ['{"a":1}{}', 'The body continues after the end of its JSON.'],
    ['{"__proto__":1}', 'The body must not have a key named __proto__.'],
  ])('that is %s is refused with the reason', async (body, detail) => {
    await expect(readRequestBody(post(body))).rejects.toMatchObject({ evidence: { detail } })
  })

  it('may have 1 MB and not a byte more', async () => {
    const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
    expect(await readRequestBody(post(text(1_048_576)))).toHaveLength(1_048_574)
    await expect(readRequestBody(post(text(1_048_577)))).rejects.toMatchObject({ status: 413 })
  })

  it('is left as soon as it is too large, whatever it said of its length (BF-14)', async () => {
    const { stream, taken, cancelled } = makeEndless()
    await expect(readRequestBody(post(stream))).rejects.toMatchObject({ code: 'too-large' })
    expect(taken()).toBeLessThan(2_000_000)
    expect(cancelled()).toBe(true)
  })

  it('is not even begun when it says that it is too large', async () => {
    const { stream, taken } = makeEndless()
    await expect(readRequestBody(post(stream, { ...json, 'content-length': '1048577' }))).rejects.toMatchObject({
      status: 413,
    })
    expect(taken()).toBeLessThan(200_000)
  })
})

describe('the query of a request', () => {
  const read = (query: string, repeatable?: string[]) => readRequestQuery(new Request(`${url}${query}`), repeatable)

  it('is text by name', () => {
    expect(read('?a=1&b=%C3%A6+x&c')).toEqual({ a: '1', b: 'æ x', c: '' })
    expect(read('')).toEqual({})
  })

  it('may not say a thing twice', () => {
    expect(() => read('?limit=1&limit=1000')).toThrow('limit was given more than once')
    expect(() => read('?a=1&%61=2')).toThrow('a was given more than once')
  })

  it('is a list for the names that may come again', () => {
    expect(read('?id=a&id=b&x=1', ['id'])).toEqual({ id: ['a', 'b'], x: '1' })
    expect(read('?id=a', ['id'])).toEqual({ id: ['a'] })
  })

  it('has no name that changes a prototype', () => {
    const query = read('?__proto__=x')
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype)
    expect(Object.keys(query)).toEqual(['__proto__'])
  })
})
