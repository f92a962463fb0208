import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPlainTarget } from './raw-requests'
import { startTestServer, type TestServer } from './testing/test-server'

let desk: TestServer

beforeAll(async () => {
  desk = await startTestServer(async ({ method, url }, response) => {
    response.end(`${method} ${url}`)
  })
})
afterAll(() => desk.close())

/** Sends exactly this request line and returns the status and body: the handler echoes what it received. */
async function send(line: string, headers = 'Host: x\r\n'): Promise<{ status: number; head: string; body: string }> {
  const [head = '', body = ''] = (await desk.exchange(`${line} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)).split(
    '\r\n\r\n',
  )
  return { status: Number(head.split(' ')[1]), head, body }
}

describe('a request target that is not in its plain form', () => {
  it.each([
    '/api/service/Customers/..',
    '/api/service/Customers/../Merchants',
    '/api/service/Customers/.',
    '/api/service/Customers/%2e%2e',
    '/api/service/Customers/%2E%2e/Merchants',
    '/api/service/Customers/.%2e',
    '/api/service/Customers/%2e%2e%2fMerchants',
    '/api/service/Customers/..%2f..%2fMerchants',
    '/api/service/Customers/..%5cMerchants',
    '/api/service/Customers/..;/Merchants',
    '/api/service/Customers\\..\\Merchants',
    '/api/service//Customers',
    '//evil.example/api/service/Customers',
    '/..//evil.example',
    '/%61pi/service/Payments',
    '/a%70i/service/Payments',
    '/%68ooks/x',
    '/api%2fservice/Payments',
    '/_next/data/build/api/service/Payments.json',
    '/%5fnext/data/build/hooks/x.json',
    'http://127.0.0.1:4010/Customers',
    'http://169.254.169.254/latest',
    '/payments#x',
    '/api/service/Customers/#x',
    '*',
  ])('never reaches a handler: %s (BF-01, BF-06)', async (target) => {
    expect(isPlainTarget(target)).toBe(false)
    expect(await send(`GET ${target}`)).toMatchObject({ status: 400, body: expect.stringContaining('bad-request') })
  })

  it.each([
    '/',
    '/payments',
    '/api/service/Customers',
    '/api/service/Customers/a..b',
    '/api/%73ervice/Payments',
    '/api/service/Customers/...',
    '/api/service/Customers/.hidden',
    '/api/service/Payments?after=../..//x',
    '/payments/x?y=%2e%2e/',
    '/_next/static/chunks/a.js',
    '/payments/',
  ])('is no complaint against %s', async (target) => {
    expect(isPlainTarget(target)).toBe(true)
    expect(await send(`GET ${target}`)).toMatchObject({ status: 200, body: `GET ${target}` })
  })
})

describe('a request that Next would stumble over', () => {
  it.each(['TRACE', 'PURGE', 'PROPFIND'])(
    'never reaches a page, and is told which methods do: %s (BF-07)',
    async (method) => {
      for (const path of ['/payments', '/_next/static/a.js']) {
        const { status, head } = await send(`${method} ${path}`)
        expect([path, status, /^allow: (.*)$/imu.exec(head)?.[1]]).toEqual([path, 405, 'GET, HEAD'])
      }
    },
  )

  it.each(['TRACE', 'PURGE', 'PROPFIND'])(
    'is refused by the route, which knows its methods: %s (BF-07)',
    async (method) => {
      for (const path of ['/api/service/Payments', '/hooks/x'])
        expect((await send(`${method} ${path}`)).body).toBe(`OPTIONS ${path}`)
    },
  )

  it.each(['/api/service/', '/api/service/Customers/', '/api/desk/?x=y'])(
    'is not found, and is told why, where a slash ends it: %s',
    async (path) => {
      expect(await send(`GET ${path}`)).toMatchObject({
        status: 404,
        body: expect.stringContaining('paths end without a slash'),
      })
    },
  )

  it.each(['GET /payments/%ff', 'GET /api/service/Customers/%?x=y', 'POST /hooks/%C3', 'GET /_next/%ff'])(
    'never reaches a handler when its path does not decode: %s (BF-02)',
    async (line) => {
      expect(await send(line)).toMatchObject({ status: 400, body: expect.stringContaining('be decoded') })
    },
  )

  it('is none whose query alone does not decode', async () => {
    expect((await send('GET /api/service/Payments?after=%')).body).toBe('GET /api/service/Payments?after=%')
    expect((await send('DELETE /api/service/Payments/x')).body).toBe('DELETE /api/service/Payments/x')
  })
})

describe('a request in another version of HTTP', () => {
  it.each(['GET /payments', 'GET /payments HTTP/0.9', 'GET /payments HTTP/2.0'])('is refused: %s', async (line) => {
    const reply = await desk.exchange(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(reply).toMatch(/^HTTP\/1\.1 400 /u)
    expect(reply).not.toContain('GET /payments')
  })

  it('is answered where that is 1.0', async () => {
    expect(await desk.exchange('GET /payments HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 .*GET \/payments$/su)
  })
})

describe('a request for two hosts, or for none', () => {
  it('is refused: a proxy in front may have gone by the other one', async () => {
    const many = 'A:\r\n'.repeat(2_100)
    for (const hosts of ['Host: x\r\nHost: y\r\n', 'Host: x\r\nhost: x\r\n', `Host: x\r\n${many}Host: y\r\n`])
      expect(await send('GET /payments', hosts)).toMatchObject({ status: 400, body: expect.stringContaining('twice') })
    expect((await send('GET /payments', '')).status).toBe(400)
  })
})

describe('the body of a page', () => {
  it('is a small form, and otherwise refused before Next reads it and writes a line when it breaks off', async () => {
    for (const size of ['Content-Length: 8193', 'Transfer-Encoding: chunked'])
      expect((await send('POST /sign-in', `Host: x\r\n${size}\r\n`)).status).toBe(413)
    const form = await desk.exchange(
      'POST /sign-in HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\na=b',
    )
    expect(form).toMatch(/^HTTP\/1\.1 200 .*POST \/sign-in$/su)
    const upload = 'Host: x\r\nConnection: close\r\nContent-Length: 9000\r\n'
    expect(await desk.exchange(`POST /api/desk/imports HTTP/1.1\r\n${upload}\r\n${'x'.repeat(9_000)}`)).toContain(
      '200 OK',
    )
  })
})
