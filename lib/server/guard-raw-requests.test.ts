import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardRawRequests, isPlainTarget } from './guard-raw-requests'

let server: Server
let port: number

beforeAll(async () => {
  guardRawRequests()
  guardRawRequests()
  server = createServer(({ method, url }, response) => response.end(`${method} ${url}`)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** Sends exactly this request line and answers what the handler saw. */
function send(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'),
    )
    socket.on('data', (chunk) => (said += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(said.split('\r\n\r\n').slice(1).join('')))
  })
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
    '/api/service/Customers/',
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
    '*',
  ])('never reaches a handler: %s (BF-01, BF-06)', async (target) => {
    expect(isPlainTarget(target)).toBe(false)
    expect(await send(`GET ${target}`)).toBe('GET /api/%')
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
    expect(await send(`GET ${target}`)).toBe(`GET ${target}`)
  })
})

describe('a method that Next answers with 500', () => {
  it('is one that the proxy refuses (BF-07)', async () => {
    expect(await send('TRACE /payments')).toBe('REFUSED /payments')
    expect(await send('TRACE /api/service/Payments')).toBe('REFUSED /api/%')
    expect(await send('DELETE /api/service/Payments/x')).toBe('DELETE /api/service/Payments/x')
  })
})

describe('a request for data that Next would answer by itself', () => {
  it.each([
    ['PROPFIND /api/service/Payments', 'PROPFIND /api/%'],
    ['GET /api/service/Customers/%ff', 'GET /api/%'],
    ['GET /api/service/Customers/%?x=y', 'GET /api/%'],
    ['POST /hooks/%C3', 'POST /api/%'],
  ])('is one that the proxy refuses: %s (BF-02, BF-07)', async (line, seen) => {
    expect(await send(line)).toBe(seen)
  })

  it('is none whose query alone does not decode, and no page', async () => {
    expect(await send('GET /api/service/Payments?after=%')).toBe('GET /api/service/Payments?after=%')
    expect(await send('PROPFIND /payments/%')).toBe('PROPFIND /payments/%')
  })
})
