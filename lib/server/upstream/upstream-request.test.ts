import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { type Connection, makeConnection } from './connection'
import { parseSettings } from '../runtime/settings'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { callUpstream } from './call-upstream'

const { listPayments, cancelPayment } = endpoints
const token = 'canary-f3b1c2d4e5'

let script: Script
let service: FaultService
let connection: Connection

function connectTo(url: string, settings: Record<string, string> = {}): Connection {
  return makeConnection(parseSettings({ UPSTREAM_URL: url, UPSTREAM_TOKEN: token, ...settings }))
}

beforeAll(async () => {
  service = await startFaultService(() => script)
  connection = connectTo(service.url)
})
beforeEach(() => {
  service.requests.length = 0
  script = {}
})
afterAll(() => service.close())

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %i is not followed, and its target never sees the credential (UP-31)',
    async (status) => {
      const other = await startFaultService(() => ({}))
      for (const location of [`${other.url}/Payments`, `${service.url}/Payments`]) {
        script = { status, headers: { location } }
        await expect(callUpstream(connection, listPayments)).rejects.toMatchObject({
          code: 'upstream-bad-reply',
          evidence: { upstream: { status } },
        })
      }
      expect(other.requests).toEqual([])
      expect(service.requests).toHaveLength(2)
      await other.close()
    },
  )
})

describe('what is sent', () => {
  const basic = `Basic ${Buffer.from(`${token}:`).toString('base64')}`

  it('carries the headers on the list, the framing, and nothing else (BF-04)', async () => {
    await callUpstream(connection, cancelPayment, {
      params: { paymentId: 'p 1' },
      body: { text: 'æ' },
      idempotencyKey: 'key-1',
    })
    const [request] = service.requests
    expect(request).toMatchObject({ method: 'DELETE', path: '/Payments/p%201', body: '{"text":"æ"}' })
    const { host, connection: kept, ...headers } = request?.headers ?? {}
    expect(host).toBe(new URL(service.url).host)
    expect(kept).toBe('close')
    expect(headers).toEqual({
      accept: expect.stringContaining('application/json'),
      authorization: basic,
      'content-length': '13',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/u),
      'user-agent': 'debitdesk',
    })
  })

  it('says nothing of a body where there is none', async () => {
    await callUpstream(connection, listPayments)
    const names = Object.keys(service.requests[0]?.headers ?? {})
    expect(names.toSorted()).toEqual(['accept', 'authorization', 'connection', 'host', 'traceparent', 'user-agent'])
  })

  it.each([
    [
      { UPSTREAM_AUTH: 'basic', UPSTREAM_TOKEN: 'ann:p:ss' },
      { authorization: `Basic ${Buffer.from('ann:p:ss').toString('base64')}` },
    ],
    [{ UPSTREAM_AUTH: 'bearer' }, { authorization: `Bearer ${token}` }],
    [{ UPSTREAM_AUTH: 'header' }, { 'x-api-key': token }],
    [
      { UPSTREAM_AUTH: 'header', UPSTREAM_HEADER: 'Authorization', UPSTREAM_TOKEN: 'Key abc' },
      { authorization: 'Key abc' },
    ],
    [{ UPSTREAM_AUTH: 'none' }, {}],
  ])('proves itself as %j says', async (settings, expected) => {
    await callUpstream(connectTo(service.url, settings), listPayments)
    const { headers = {} } = service.requests[0] ?? {}
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => /authorization|api-key/u.test(name)))).toEqual(
      expected,
    )
  })
})
