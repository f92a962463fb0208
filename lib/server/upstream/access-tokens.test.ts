import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { type Connection, makeConnection } from './connection'
import { parseSettings } from '../runtime/settings'
import { type FaultService, startFaultService } from '../testing/fault-service'
import { startTokenService, type TokenService } from '../testing/deployments/token-service'
import { callUpstream } from './call-upstream'
import { TokenSource } from './access-tokens'

const { listCustomers, listPayments, cancelPayment } = endpoints

let tokens: TokenService
let service: FaultService
let connection: Connection
let now = 0

function makeSource(): TokenSource {
  const client = { url: new URL(tokens.url), id: tokens.clientId, secret: tokens.clientSecret, scope: 'payments' }
  return new TokenSource(client, () => now)
}

beforeAll(async () => {
  tokens = await startTokenService()
  service = await startFaultService(({ headers, path }) =>
    tokens.isLive(headers.authorization) && !path.startsWith('/Customers')
      ? { body: JSON.stringify({ results: [], hasMore: false, echo: headers.authorization }) }
      : { status: 401, ...(path.startsWith('/Customers') && { delay: 10 }) },
  )
})
beforeEach(() => {
  Object.assign(tokens, { answer: undefined, expiresIn: 3_600, takesBasic: true })
  tokens.revoke()
  tokens.requests.length = 0
  service.requests.length = 0
  globalThis.debitdeskUpstreamStates = undefined
  const settings = {
    UPSTREAM_URL: service.url,
    UPSTREAM_AUTH: 'client-credentials',
    UPSTREAM_TOKEN_URL: tokens.url,
    UPSTREAM_CLIENT_ID: tokens.clientId,
    UPSTREAM_CLIENT_SECRET: tokens.clientSecret,
    UPSTREAM_SCOPE: 'payments',
    UPSTREAM_AUDIENCE: 'https://service.example',
  }
  connection = makeConnection(parseSettings(settings))
})
afterAll(async () => {
  await service.close()
  await tokens.close()
})

describe('an access token', () => {
  it('is fetched once for many calls, also when they come together', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => callUpstream(connection, listPayments)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(tokens.requests).toHaveLength(1)
    const form = new URLSearchParams(tokens.requests[0]?.body)
    expect(Object.fromEntries(form)).toEqual({
      grant_type: 'client_credentials',
      scope: 'payments',
      audience: 'https://service.example',
    })
  })

  it('is never shown, nor is the secret', async () => {
    const reply = await callUpstream(connection, listPayments)
    expect(reply.text).toContain('Bearer [redacted]')
    expect(JSON.stringify(connection)).not.toContain(tokens.clientSecret)
  })

  it('serves while it is renewed a minute before its end', async () => {
    const source = makeSource()
    const first = await source.read()
    now += 3_550_000
    expect(await source.read()).toBe(first)
    expect(await source.read()).toBe(first)
    while (tokens.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await source.read()).not.toBe(first)
    expect(tokens.requests).toHaveLength(2)
  })

  it('is not used past its end, one that says nothing of it not past five minutes', async () => {
    tokens.expiresIn = null
    const source = makeSource()
    const first = await source.read()
    now += 300_001
    expect(await source.read()).not.toBe(first)
  })

  it('is fetched by a secret in the body where HTTP Basic is refused, from then on at once', async () => {
    tokens.takesBasic = false
    const source = makeSource()
    await source.read()
    expect(tokens.requests).toHaveLength(2)
    now += 3_700_000
    await source.read()
    expect(tokens.requests).toHaveLength(3)
  })
})

describe('a 401 of the service', () => {
  it('is answered with a fresh token, once, for whoever meets it', async () => {
    await callUpstream(connection, listPayments)
    tokens.revoke()
    const calls = Array.from({ length: 10 }, () => callUpstream(connection, listPayments))
    expect((await Promise.all(calls)).every(({ status }) => status === 200)).toBe(true)
    expect(tokens.requests).toHaveLength(2)
  })

  it('is answered so every time, as long as the fresh token is accepted', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      tokens.revoke()
      expect((await callUpstream(connection, listPayments)).status).toBe(200)
    }
  })

  it('is met with the same request under the same key, also for a cancellation', async () => {
    await callUpstream(connection, listPayments)
    tokens.revoke()
    const call = { params: { paymentId: 'p' }, body: { text: 'x' }, idempotencyKey: 'one-key' }
    expect((await callUpstream(connection, cancelPayment, call)).status).toBe(200)
    const deletes = service.requests.filter(({ method }) => method === 'DELETE')
    expect(deletes.map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual([
      ['one-key', '{"text":"x"}'],
      ['one-key', '{"text":"x"}'],
    ])
  })

  it('that lasts is passed on, and fetches no token after token', async () => {
    const dead = { access_token: 'never-taken', token_type: 'Bearer', expires_in: 60 }
    tokens.answer = { body: JSON.stringify(dead) }
    for (let call = 0; call < 10; call += 1) expect((await callUpstream(connection, listPayments)).status).toBe(401)
    expect(tokens.requests.length).toBeLessThanOrEqual(2)
    expect(service.requests.length).toBeLessThanOrEqual(12)
  })

  it('of one endpoint alone costs one token, and the others none', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 10; round += 1) {
      const running = new Set([listCustomers])
      const refused = callUpstream(connection, listCustomers).finally(() => running.clear())
      while (running.size > 0) statuses.add((await callUpstream(connection, listPayments)).status)
      expect((await refused).status).toBe(401)
    }
    expect([...statuses]).toEqual([200])
    expect(tokens.requests).toHaveLength(2)
  })

  it('of one endpoint alone fails no other call where no token can be fetched any more', async () => {
    await callUpstream(connection, listPayments)
    tokens.answer = { status: 429 }
    for (let round = 0; round < 10; round += 1) {
      const calls = [listCustomers, listPayments, listPayments]
      const replies = await Promise.all(calls.map((endpoint) => callUpstream(connection, endpoint)))
      expect(replies.map(({ status }) => status)).toEqual([401, 200, 200])
    }
    expect(tokens.requests).toHaveLength(2)
  })

  it('is met with a fresh token as soon as one can be fetched, and again after half a minute', async () => {
    const source = makeSource()
    const first = await source.read()
    tokens.answer = { status: 503 }
    expect(source.refuse(first)).toBe(true)
    await expect(source.read(first)).rejects.toMatchObject({ code: 'upstream-credential' })
    expect(await source.read()).toBe(first)
    tokens.answer = undefined
    now += 1_001
    expect(source.refuse(first)).toBe(true)
    const second = await source.read(first)
    source.rest(second)
    expect([second === first, source.refuse(second), source.refuse(first)]).toEqual([false, false, true])
    now += 30_001
    expect(source.refuse(second)).toBe(true)
    expect(await source.read(second)).not.toBe(second)
  })

  it('stands when no other token can be fetched', async () => {
    await callUpstream(connection, listPayments)
    tokens.revoke()
    tokens.answer = { status: 503 }
    expect((await callUpstream(connection, listPayments)).status).toBe(401)
  })
})

describe('a token server', () => {
  it.each([
    ['refuses', { status: 401, body: '{"error":"invalid_client"}' }, 'upstream-credential'],
    ['fails', { status: 500 }, 'upstream-credential'],
    ['is no such thing', { headers: { 'content-type': 'text/html' }, body: '<p>hi</p>' }, 'upstream-credential'],
    ['gives no token', { body: '{"access_token":""}' }, 'upstream-credential'],
    ['gives a token that breaks a header', { body: '{"access_token":"a\\r\\nX: y"}' }, 'upstream-credential'],
    ['breaks off', { resetBefore: true }, 'upstream-unreachable'],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'upstream-credential'],
  ])('that %s fails the call, of which surely nothing was sent', async (_, answer, code) => {
    tokens.answer = answer
    await expect(callUpstream(connection, cancelPayment, { params: { paymentId: 'p' } })).rejects.toMatchObject({
      code,
      evidence: { written: false },
    })
    expect(service.requests).toEqual([])
  })

  it('that fails is left alone for a while, then asked again', async () => {
    const source = makeSource()
    tokens.answer = { status: 503 }
    for (let turn = 0; turn < 5; turn += 1)
      await expect(source.read()).rejects.toMatchObject({ code: 'upstream-credential' })
    expect(tokens.requests).toHaveLength(1)
    tokens.answer = undefined
    now += 1_001
    expect(await source.read()).toMatch(/^token-/u)
  })

  it('that hangs costs a call no more than its own deadline', async () => {
    tokens.answer = { hang: true }
    await expect(callUpstream(connection, listPayments, { deadline: 200 })).rejects.toMatchObject({
      code: 'upstream-timeout',
      evidence: { written: false },
    })
  })
})
