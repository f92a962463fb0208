import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { at, startTestService, type TestService } from '../testing/test-service'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ seedPayments: 20 })
})
afterAll(() => service.close())

const create = (headers: Record<string, string>, raw: string | Uint8Array<ArrayBuffer> = '{"name":"Ann"}') =>
  service.call('POST', '/Customers', { raw, headers })

describe('the door', () => {
  test('GET / is plain text without a credential', async () => {
    const reply = await service.call('GET', '/', { token: null })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  })

  test.each(Object.values(endpoints).filter(({ id }) => id !== 'getStatus'))(
    '$id refuses a stranger',
    async ({ method, path }) => {
      const address = path.replaceAll(/\{\w+\}/gu, '03f6dbcf-558c-4245-8511-0d4788eef9e3')
      for (const token of [null, 'not-the-token-of-anyone']) {
        const reply = await service.call(method, address, { token })
        expect(reply.status).toBe(401)
        expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /u)
        expect(at(reply.json, 'type')).toMatch(/\/unauthorized$/u)
      }
    },
  )

  test.each([
    'Bearer abc',
    'Basic',
    'Basic !!!',
    `Basic ${btoa('a-token-of-the-test-merchant:password')}`,
    `Basic ${btoa(':')}`,
  ])('refuses the credential %j', async (authorization) => {
    expect((await service.call('GET', '/Merchants', { token: null, headers: { authorization } })).status).toBe(401)
  })

  test('paths are case-sensitive and end where they end', async () => {
    for (const path of ['/payments', '/PAYMENTS', '/Payments/', '/merchants', '/Nothing']) {
      expect([path, (await service.call('GET', path)).status]).toEqual([path, 404])
    }
  })

  test('another method on a known path is 405 with Allow', async () => {
    const reply = await service.call('POST', '/Payments')
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each([
    '/Customers/%00',
    '/Customers/%ff',
    '/Customers/..%2fPayments',
    '/Customers/%E2%80%8B',
    `/Customers/${'x'.repeat(201)}`,
    '/Customers/%',
  ])('refuses the path %s', async (path) => {
    expect((await service.call('GET', path)).status).toBe(400)
  })
})

describe('a problem record', () => {
  test('has the documented members, an instance of its own and a traceId', async () => {
    const one = await service.call('GET', '/Customers/nobody')
    const other = await service.call('GET', '/Customers/nobody')
    expect(one.json).toEqual({
      type: 'https://debitdesk.example/service/problems/not-found',
      title: 'There is no such resource',
      status: 404,
      detail: 'There is no such customer.',
      instance: expect.stringMatching(/^urn:uuid:/u),
      traceId: expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-00$/u),
    })
    expect(at(one.json, 'instance')).not.toBe(at(other.json, 'instance'))
  })

  test('continues the trace of the caller', async () => {
    const trace = 'a'.repeat(32)
    const reply = await service.call('GET', '/Customers/nobody', {
      headers: { traceparent: `00-${trace}-${'b'.repeat(16)}-01` },
    })
    expect(at(reply.json, 'traceId')).toContain(trace)
  })

  test.each([
    ['application/problem+json', 'application/problem+json'],
    ['text/plain', 'text/plain'],
    ['*/*', 'application/json'],
  ])('answers Accept %s with %s', async (accept, expected) => {
    const reply = await service.call('GET', '/Customers/nobody', { headers: { accept } })
    expect(reply.headers.get('content-type')).toBe(`${expected}; charset=utf-8`)
    expect(at(reply.json, 'status')).toBe(404)
  })
})

describe('media types', () => {
  test.each([
    ['application/json', 'application/json'],
    ['text/json', 'text/json'],
    ['text/plain', 'text/plain'],
    ['text/*', 'text/json'],
    ['text/html, text/plain;q=0.2, text/json;q=0.7', 'text/json'],
    ['image/png', 'application/json'],
    [',;q=, */*;q=nonsense', 'application/json'],
    ['application/json;q=0, */*', 'text/json'],
    ['application/json;q=0', 'text/json'],
    ['*/*;q=0.5, application/*;q=0, text/json;q=0.1', 'text/plain'],
    ['application/*, application/json;q=0.1, text/plain;q=0.2', 'text/plain'],
    ['text/plain, application/json', 'text/plain'],
    ['*/*;q=0', 'application/json'],
  ])('Accept %s is answered with %s', async (accept, expected) => {
    const reply = await service.call('GET', '/Merchants', { headers: { accept } })
    expect(reply.headers.get('content-type')).toBe(`${expected}; charset=utf-8`)
    expect(at(reply.json, 'name')).toBeTruthy()
  })

  test.each([
    'application/json',
    'text/json',
    'application/*+json',
    'application/vnd.ours+json',
    'Application/JSON; charset=UTF-8',
  ])('a body may be %s', async (type) => {
    expect((await create({ 'content-type': type })).status).toBe(201)
  })

  test.each([
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'application/+json',
  ])('a body must not be %s', async (type) => {
    expect((await create({ 'content-type': type })).status).toBe(415)
  })

  test('a body may not be compressed', async () => {
    expect((await create({ 'content-type': 'application/json', 'content-encoding': 'gzip' })).status).toBe(415)
  })
})

describe('a body', () => {
  const json = { 'content-type': 'application/json' }

  test('has its property names matched without regard to case, once each', async () => {
    const reply = await create(json, '{"NAME":"Ann","addressline1":"Main Street 1"}')
    expect([reply.status, at(reply.json, 'name'), at(reply.json, 'addressLine1')]).toEqual([
      201,
      'Ann',
      'Main Street 1',
    ])
    for (const raw of [
      '{"NAME":"Ann","name":"Bob"}',
      '{"name":"Ann","name":"Bob"}',
      '{"name":"Ann","n\\u0061me":"Ann"}',
    ]) {
      const twice = await create(json, raw)
      expect([twice.status, at(twice.json, 'errors')]).toEqual([400, { name: ['stands there twice'] }])
    }
  })

  test.each([
    ['empty', ''],
    ['cut off', '{"name":"An'],
    ['two documents', '{"name":"Ann"}{}'],
    ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['very deep', '['.repeat(10_000)],
    ['deep and closed', `{"name":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['an array', '[]'],
    ['null', 'null'],
  ])('that is %s is refused', async (_name, raw) => {
    expect((await create(json, raw)).status).toBe(400)
  })

  test.each([
    ['name', '{}'],
    ['name', '{"name":" "}'],
    ['name', '{"name":7}'],
    ['city', `{"name":"Ann","city":"${'x'.repeat(201)}"}`],
    ['nmae', '{"name":"Ann","nmae":"x"}'],
    ['name', String.raw`{"name":"\u0000"}`],
    ['city', String.raw`{"name":"Ann","city":"\ud800"}`],
    ['body', '{"name":"Ann","__proto__":{"polluted":true}}'],
  ])('with a wrong %s is told so by field: %s', async (field, raw) => {
    const reply = await create(json, raw)
    expect(reply.status).toBe(400)
    expect(Object.keys(Object(at(reply.json, 'errors')))).toContain(field)
  })

  test('larger than 1 MB is refused', async () => {
    const reply = await create(json, `{"name":"${'x'.repeat(1_100_000)}"}`)
    expect([reply.status, at(reply.json, 'type')]).toEqual([413, expect.stringMatching(/\/too-large$/u)])
  })
})

describe('a query', () => {
  test.each([
    ['filter', "/Customers?filter=contains(name,'%00')"],
    ['filter', "/Payments?filter=reference%20eq%20'a%00b'"],
    ['filter', "/Customers/mandates?filter=handle%20eq%20'%00'"],
    ['after', '/Payments?after=%00'],
    ['query', "/Customers?filter=contains(name,'%ff')"],
    ['query', "/Customers?filter=contains(name,'%ED%A0%80')"],
    ['query', "/Customers?filter=contains(name,'100%')"],
    ['query', '/Payments?orderby=%C0%AF'],
  ])('with a %s that is no text is refused: %s', async (field, path) => {
    const reply = await service.call('GET', path)
    expect([reply.status, Object.keys(Object(at(reply.json, 'errors')))]).toEqual([400, [field]])
  })
})

test.each([
  ['malformed-request', 'NONSENSE\r\n\r\n'],
  ['validation', 'GET /Payments HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('what is not HTTP is answered with a problem record: %s', async (code, request) => {
  const { port } = new URL(service.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(request)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/u)
  expect(text).toContain(`/problems/${code}"`)
})
