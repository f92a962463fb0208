import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { callUpstream } from './call-upstream'
import { getConnection, makeConnection } from './connection'
import { serviceHandler } from './gateway'
import { parseSettings } from '../runtime/settings'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { makeSession } from '../testing/store-fixture'

const canary = 'canary-8c1f0b7d2e'

let script: Script
let service: FaultService
let written: string[]

beforeAll(async () => {
  service = await startFaultService(() => script)
  process.env.UPSTREAM_URL = service.url
  process.env.UPSTREAM_TOKEN = canary
})
beforeEach(() => {
  written = []
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.close())

describe('the credential (BF-08)', () => {
  it('is in no reply, whatever the service does with it, and in no log', async () => {
    const encoded = Buffer.from(`${canary}:`).toString('base64')
    const echo = JSON.stringify({
      title: canary,
      detail: `Basic ${encoded}`,
      results: [{ id: canary, note: encoded }],
      errors: { limit: [canary] },
    })
    const scripts: Script[] = [
      { body: echo },
      { status: 400, body: echo },
      { status: 403, body: echo },
      { status: 500, body: echo },
      { status: 401, headers: { 'www-authenticate': `Basic realm="${canary}"`, 'x-echo': encoded } },
      { status: 302, headers: { location: `http://${canary}@127.0.0.1/` } },
      { raw: `HTTP/1.1 ${canary}\r\n\r\n` },
      { body: `{"${canary}` },
      { resetBefore: true },
    ]
    const list = serviceHandler('listPayments', async () => makeSession('admin'))
    const said: string[] = []
    for (const one of scripts) {
      script = one
      const response = await list(new Request('http://127.0.0.1/x'), { params: Promise.resolve({}) })
      said.push(JSON.stringify([...response.headers]), await response.text())
    }
    expect(service.requests.every(({ headers }) => headers.authorization === `Basic ${encoded}`)).toBe(true)
    expect(said.join('\n')).toContain('[redacted]')
    expect([...said, ...written].join('\n')).not.toMatch(new RegExp(`${canary}|${encoded}`, 'u'))
  })

  it('is the password alone where there is one: the user name may stand in ids, addresses and amounts', async () => {
    const settings = { UPSTREAM_URL: service.url, UPSTREAM_TOKEN: `124500:${canary}` }
    const record = { id: 'cus_124500', number: 124_500, note: `https://124500.example/?k=${canary}` }
    script = { body: JSON.stringify(record) }
    const { json } = await callUpstream(makeConnection(parseSettings(settings)), endpoints.getMerchant)
    expect(json).toEqual({ ...record, note: 'https://124500.example/?k=[redacted]' })
    script = { body: JSON.stringify({ ...record, number: 81_243_077 }) }
    const alone = makeConnection(parseSettings({ ...settings, UPSTREAM_TOKEN: '81243077' }))
    expect((await callUpstream(alone, endpoints.getMerchant)).json).toMatchObject({ number: 81_243_077 })
  })

  it.each([`ApiKey ${canary}`, canary])('is redacted in a header %j, also without the scheme before it', (value) => {
    const settings = { UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'header', UPSTREAM_HEADER: 'Authorization' }
    const { credential } = makeConnection(parseSettings({ ...settings, UPSTREAM_TOKEN: value }))
    expect(credential.redact(`key ${canary} of ${value}`)).toBe('key [redacted] of [redacted]')
  })

  it('leaves a short key behind a scheme alone, for ordinary words may hold it', () => {
    const settings = { UPSTREAM_URL: service.url, UPSTREAM_AUTH: 'header', UPSTREAM_HEADER: 'Authorization' }
    const { credential } = makeConnection(parseSettings({ ...settings, UPSTREAM_TOKEN: 'ApiKey paid' }))
    expect(credential.redact('unpaid, ApiKey paid')).toBe('unpaid, [redacted]')
  })

  it('cannot be written out by accident', () => {
    const connection = getConnection('default')
    expect(JSON.stringify(connection) + inspect(connection, { depth: 9, showHidden: true })).not.toContain(canary)
    expect(Object.getOwnPropertyNames(connection.credential)).toEqual([])
  })
})

describe('a connection', () => {
  const make = (settings: Record<string, string>) => makeConnection(parseSettings(settings))

  it('is the embedded service as long as no other is named', () => {
    const { baseUrl, name } = make({ SERVICE_PORT: '4321', SERVICE_TOKEN: 'sixteen-characters', UPSTREAM_AUTH: 'none' })
    expect([baseUrl.href, name]).toEqual(['http://127.0.0.1:4321/', 'Nordkyst Forsyning A/S'])
  })

  it.each([
    [{ UPSTREAM_URL: 'https://user:pass@service.example' }, 'UPSTREAM_URL must not hold a credential'],
    [{ UPSTREAM_URL: 'https://service.example/?a=1' }, 'UPSTREAM_URL must not hold a query'],
    [{ UPSTREAM_URL: 'https://service.example/#a' }, 'UPSTREAM_URL must not hold a query'],
    [
      { UPSTREAM_URL: 'https://service.example', UPSTREAM_AUTH: 'bearer', UPSTREAM_TOKEN: 'a\r\nX: y' },
      'UPSTREAM_TOKEN must be one line',
    ],
    [
      { UPSTREAM_URL: 'https://service.example', UPSTREAM_AUTH: 'header', UPSTREAM_HEADER: 'Host' },
      'UPSTREAM_HEADER must not be Host',
    ],
  ])('with %j is refused, naming the setting and not its value', (settings, message) => {
    expect(() => make({ UPSTREAM_TOKEN: canary, ...settings })).toThrow(message)
  })
})
