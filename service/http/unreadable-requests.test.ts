import { METHODS } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendBytes } from '../testing/raw-requests'
import { startTestService, type TestService, testToken } from '../testing/test-service'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ wrongCredentialsPerMinute: 1_000_000 })
})
afterAll(() => service.close())

/** Unexpected errors would be logged. */
const logged = vi.spyOn(console, 'error')

const credential = `Authorization: Basic ${btoa(`${testToken}:`)}`

/** Sends a raw request line and headers. Returns the reply's status, problem and Allow. */
async function send(line: string, headers: readonly string[] = ['Host: x'], body = '') {
  const text = await sendBytes(
    service.url,
    `${line} HTTP/1.1\r\nConnection: close\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n${body}`,
  )
  const [head = '', record = ''] = text.split('\r\n\r\n')
  return {
    status: Number(head.split(' ', 2)[1]),
    problem: /"type":"[^"]+\/([\w-]+)"/u.exec(record)?.[1],
    detail: /"detail":"([^"]+)"/u.exec(record)?.[1],
    allow: /^allow: (.*)$/imu.exec(head)?.[1]?.trim(),
    type: /^content-type: (.*)$/imu.exec(head)?.[1]?.trim(),
  }
}

describe('without a credential', () => {
  const long = 'x'.repeat(1_001)
  test.each([
    ['GET', '/Customers/'],
    ['PUT', '/Customers/'],
    ['DELETE', '/Customers/'],
    ['GET', '/Customers/mandates/'],
    ['GET', '/Merchants/agreements/'],
    ['DELETE', '/Merchants/agreements/'],
    ['DELETE', '/Payments/'],
  ])('%s %s with a segment of 1,001 characters is 414', async (method, path) => {
    expect(await send(`${method} ${path}${long}`)).toMatchObject({ status: 414, problem: 'path-too-long' })
  })

  test('a method that a path does not know is 405 with those that it knows, whichever method it is', async () => {
    const known: Record<string, string> = {
      '/': 'GET, HEAD',
      '/openapi.json': 'GET, HEAD',
      '/Payments': 'GET, HEAD',
      '/Customers': 'GET, HEAD, POST',
      '/Customers/x': 'GET, HEAD, PUT, DELETE',
      '/Payments/x': 'DELETE',
    }
    // Not CONNECT, for which Node closes the connection.
    const methods = new Set(['QUERY', ...METHODS].filter((method) => method !== 'CONNECT'))
    const wrong: string[] = []
    for (const [path, allow] of Object.entries(known))
      for (const method of methods) {
        const reply = await send(`${method} ${path}`)
        const isKnown = allow.split(', ').includes(method)
        const isRight = isKnown ? [200, 401].includes(reply.status) : reply.status === 405 && reply.allow === allow
        if (!isRight) wrong.push(`${method} ${path}: ${reply.status}, Allow: ${reply.allow}`)
      }
    expect(wrong).toEqual([])
    expect((await send('QUERY /nothing')).status).toBe(404)
  })
})

describe('what is not HTTP', () => {
  test.each([
    ['no request', 'NONSENSE', ['Host: x']],
    ['an unknown method', 'FOO /Payments', ['Host: x']],
    ['a header without a colon', 'GET /Payments', ['Host: x', 'nonsense']],
    ['two lengths', 'POST /Customers', ['Host: x', 'Content-Length: 1', 'Content-Length: 2']],
  ])('is a malformed request: %s', async (_what, line, headers) => {
    expect(await send(line, headers)).toMatchObject({ status: 400, problem: 'malformed-request' })
  })

  test('is 431 where path and headers are larger than 16 KB', async () => {
    const header = ['Host: x', `X-Much: ${'x'.repeat(20_000)}`]
    for (const line of ['GET /Payments', 'POST /Customers', `GET /Customers/${'x'.repeat(20_000)}`])
      expect(await send(line, header)).toMatchObject({ status: 431, problem: 'headers-too-large' })
  })

  test('is refused with two Host headers, the same or not', async () => {
    for (const other of ['x', 'y'])
      expect(await send('GET /Payments', ['Host: x', `Host: ${other}`, credential])).toMatchObject({
        status: 400,
        problem: 'validation',
        detail: 'The header Host stands there twice.',
      })
  })

  test('is 417 with a problem record where it expects something unknown', async () => {
    for (const line of ['GET /Payments', 'POST /Customers'])
      expect(await send(line, ['Host: x', 'Expect: wonders', credential])).toMatchObject({
        status: 417,
        problem: 'expectation-failed',
      })
    expect((await send('GET /Payments', ['Host: x', 'Expect: 100-continue', credential])).status).toBe(100)
  })
})

test('none of this is a failure of the service in its log', () => {
  expect(logged).not.toHaveBeenCalled()
})
