import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeConnection, setConnection } from './connection'
import { log } from '../runtime/log'
import { MAX_REPLY_BYTES } from './reply'
import { parseSettings } from '../runtime/settings'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { type Gateway, startGateway } from '../testing/gaps/start-gateway'
import { makeSession } from '../testing/store-fixture'

/* Each fault of a service as reported to the browser: over HTTP on both sides of the gateway. */

let script: Script
let service: FaultService
let gateway: Gateway

const pointAt = (url: string) =>
  setConnection(makeConnection(parseSettings({ UPSTREAM_URL: url, UPSTREAM_AUTH: 'none' })))

beforeAll(async () => {
  log.level = 'silent'
  service = await startFaultService(() => script)
  gateway = await startGateway(makeSession('admin'))
})
beforeEach(() => {
  globalThis.debitdeskUpstreamStates = undefined
  globalThis.debitdeskLimits = undefined
  pointAt(service.url)
  service.requests.length = 0
})
afterAll(async () => {
  await gateway.close()
  await service.close()
})

async function findClosedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

const json = { 'content-type': 'application/json' }
const secret = '<script>alert(1)</script>stack at /srv/secret.cs'
const list = JSON.stringify({ results: Array.from({ length: 40 }, (_, id) => ({ id })), hasMore: false })

describe('a fault of the service', () => {
  it.each<[string, Script, number, string]>([
    ['a connection that is reset (UP-03)', { resetBefore: true }, 502, 'upstream-unreachable'],
    ['a list that is cut off (UP-04)', { headers: json, body: list, resetAfterBytes: 90 }, 502, 'upstream-bad-reply'],
    ['500 with nothing (UP-11)', { status: 500, headers: {}, body: '' }, 502, 'upstream-error'],
    [
      '500 in HTML (UP-12)',
      { status: 500, headers: { 'content-type': 'text/html' }, body: secret },
      502,
      'upstream-error',
    ],
    [
      '500 that tells of its inside (UP-17)',
      { status: 500, headers: json, body: JSON.stringify({ detail: secret }) },
      502,
      'upstream-error',
    ],
    ['half a document (UP-13)', { headers: json, body: list.slice(0, -4) }, 502, 'upstream-bad-reply'],
    ['two documents (UP-13)', { headers: json, body: list + list }, 502, 'upstream-bad-reply'],
    [
      'HTML that holds JSON (UP-15)',
      { headers: { 'content-type': 'text/html' }, body: list },
      502,
      'upstream-bad-reply',
    ],
    [
      'a list that is null (UP-21)',
      { headers: json, body: '{"results":null,"hasMore":false}' },
      502,
      'upstream-bad-reply',
    ],
    ['a list that is a bare array (UP-21)', { headers: json, body: '[{"id":"a"}]' }, 502, 'upstream-bad-reply'],
    [
      'more than eight megabytes (UP-28)',
      { headers: json, body: `[${' '.repeat(MAX_REPLY_BYTES)}]` },
      502,
      'upstream-bad-reply',
    ],
    [
      'what gzip blows up (UP-28)',
      { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(MAX_REPLY_BYTES * 10, ' ')) },
      502,
      'upstream-bad-reply',
    ],
    [
      'a redirect (UP-31)',
      { status: 307, headers: { location: 'https://elsewhere.example/' }, body: '' },
      502,
      'upstream-bad-reply',
    ],
    [
      '401 (its mapping)',
      { status: 401, headers: { 'www-authenticate': 'Basic' }, body: '' },
      502,
      'upstream-credential',
    ],
    ['403 (its mapping)', { status: 403, headers: {}, body: '' }, 403, 'upstream-forbidden'],
    ['429 with a time (UP-07)', { status: 429, headers: { 'retry-after': '7' }, body: '' }, 429, 'upstream-slow-down'],
  ])('is told as our own problem record: %s', async (_, answer, status, code) => {
    script = answer
    const reply = await gateway.ask('GET', '/Payments')
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(reply.json).toMatchObject({
      type: `https://debitdesk.example/problems/${code}`,
      status,
      instance: reply.headers.get('x-request-id'),
    })
    expect(JSON.stringify(reply.json)).not.toMatch(/script|secret|elsewhere/u)
    expect(reply.headers.get('retry-after')).toBe(code === 'upstream-slow-down' ? '7' : null)
  })

  it('is told after the fifth refused connection without asking again, and other ways stay open (UP-01)', async () => {
    pointAt(`http://127.0.0.1:${await findClosedPort()}`)
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await gateway.ask('GET', '/Payments')).json).toMatchObject({
        status: 502,
        title: 'The provider can’t be reached',
      })
    }
    const held = await gateway.ask('GET', '/Payments')
    expect(held.json).toMatchObject({ status: 502, detail: expect.stringContaining('several times in a row') })
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(0)
    pointAt(service.url)
    script = { headers: json, body: list }
    expect((await gateway.ask('GET', '/Payments')).status).toBe(200)
  })

  it('in its certificate’s name or its own is told as one that cannot be reached (UP-02)', async () => {
    pointAt('https://does-not-exist.invalid')
    expect((await gateway.ask('GET', '/Payments')).json).toMatchObject({
      status: 502,
      title: 'The provider can’t be reached',
    })
    pointAt(service.url.replace('http:', 'https:'))
    const plain = await gateway.ask('GET', '/Payments')
    expect(plain.status).toBe(502)
    // No fallback to plain HTTP: nothing that arrived was a request.
    expect(service.requests).toEqual([])
  })

  it('that is large but sound is none: one text of five megabytes, five thousand names (UP-28)', async () => {
    for (const body of [
      `{"a":"${'x'.repeat(5_000_000)}"}`,
      `{${Array.from({ length: 5_000 }, (_, key) => `"k${key}":1`).join(',')}}`,
    ]) {
      script = { headers: json, body }
      expect((await gateway.ask('GET', '/Merchants')).status).toBe(200)
    }
  })
})
