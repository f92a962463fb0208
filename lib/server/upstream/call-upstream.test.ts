import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { type Connection, makeConnection } from './connection'
import { AppError } from '../runtime/app-error'
import { parseSettings } from '../runtime/settings'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { callUpstream } from './call-upstream'

const { listPayments, cancelPayment, getCustomer, createCustomer } = endpoints
const token = 'canary-f3b1c2d4e5'

let script: Script | ((count: number) => Script)
let service: FaultService
let connection: Connection

function connectTo(url: string, settings: Record<string, string> = {}): Connection {
  return makeConnection(parseSettings({ UPSTREAM_URL: url, UPSTREAM_TOKEN: token, ...settings }))
}

async function fail(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => new Error('it was answered'),
    (caught: unknown) => caught,
  )
  if (error instanceof AppError) return error
  throw error
}

beforeAll(async () => {
  service = await startFaultService(() => (typeof script === 'function' ? script(service.requests.length) : script))
  connection = connectTo(service.url)
})
beforeEach(() => {
  service.requests.length = 0
  script = {}
  globalThis.debitdeskLimits = undefined
})
afterAll(() => service.close())

describe('a service that cannot be reached', () => {
  async function findClosedPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    await new Promise((resolve) => server.close(resolve))
    return typeof address === 'object' && address ? address.port : 0
  }

  it('is upstream-unreachable, and surely nothing was sent (UP-01)', async () => {
    const closed = connectTo(`http://127.0.0.1:${await findClosedPort()}`)
    for (const call of [
      callUpstream(closed, listPayments),
      callUpstream(closed, cancelPayment, { params: { paymentId: 'p' } }),
    ]) {
      expect(await fail(call)).toMatchObject({
        code: 'upstream-unreachable',
        status: 502,
        evidence: { written: false },
      })
    }
  })

  it('is upstream-unreachable when its name does not resolve', async () => {
    const nowhere = connectTo('http://does-not-exist.invalid')
    expect(await fail(callUpstream(nowhere, listPayments))).toMatchObject({
      code: 'upstream-unreachable',
      evidence: { written: false },
    })
  })

  it('has nothing sent to it when the call was given up before', async () => {
    const signal = AbortSignal.abort()
    expect(await fail(callUpstream(connection, listPayments, { signal }))).toMatchObject({
      evidence: { written: false },
    })
    expect(service.requests).toEqual([])
  })
})

describe('a connection that breaks before the reply', () => {
  it('is tried once more for a read (UP-03)', async () => {
    script = (count) => (count === 1 ? { resetBefore: true } : { body: '{"results":[]}' })
    expect((await callUpstream(connection, listPayments)).status).toBe(200)
    expect(service.requests).toHaveLength(2)
  })

  it('is tried once more only, then upstream-unreachable', async () => {
    script = { resetBefore: true }
    expect(await fail(callUpstream(connection, listPayments))).toMatchObject({
      code: 'upstream-unreachable',
      evidence: { written: true },
    })
    expect(service.requests).toHaveLength(2)
  })

  it.each([
    ['a cancellation', cancelPayment, { params: { paymentId: 'p' }, body: { text: 'x' } }],
    ['another write', createCustomer, { body: { name: 'x' } }],
  ])('is never tried again for %s, which may have been done', async (_, endpoint, call) => {
    script = { resetBefore: true }
    expect(await fail(callUpstream(connection, endpoint, call))).toMatchObject({
      code: 'upstream-unreachable',
      evidence: { written: true },
    })
    expect(service.requests).toHaveLength(1)
  })

  it('does not meet a write on a socket that was kept from before', async () => {
    await callUpstream(connection, createCustomer, { body: { name: 'x' } })
    await callUpstream(connection, createCustomer, { body: { name: 'y' } })
    await callUpstream(connection, listPayments)
    // undici reuses a socket only after a turn of the event loop without further data on it.
    await new Promise((resolve) => setTimeout(resolve, 20))
    await callUpstream(connection, listPayments)
    const [first, second, third, fourth] = service.requests.map(({ connection: number }) => number)
    expect(new Set([first, second, third]).size).toBe(3)
    expect(fourth).toBe(third)
  })
})

describe('a reply that breaks off', () => {
  const list = JSON.stringify({ results: Array.from({ length: 50 }, (_, id) => ({ id })), hasMore: false })

  it.each([
    ['with a content length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('%s is a bad reply, never a shorter list, and is not asked for again (UP-04)', async (_, framing) => {
    script = { headers: { 'content-type': 'application/json', ...framing }, body: list, resetAfterBytes: 200 }
    expect(await fail(callUpstream(connection, listPayments))).toMatchObject({
      code: 'upstream-bad-reply',
      status: 502,
      evidence: { written: true, upstream: { status: 200 } },
    })
    expect(service.requests).toHaveLength(1)
  })

  it.each([
    [
      'a content length',
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${list.length}\r\n\r\n${list.slice(0, 99)}`,
    ],
    [
      'chunks',
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n63\r\n${list.slice(0, 99)}\r\n`,
    ],
  ])('with an orderly end in the middle of %s is a bad reply too (UP-04)', async (_, raw) => {
    script = { raw }
    expect(await fail(callUpstream(connection, listPayments))).toMatchObject({ code: 'upstream-bad-reply' })
  })

  it.each([
    'not HTTP at all\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
  ])('or that is no sound HTTP is a bad reply', async (raw) => {
    script = { raw }
    expect(await fail(callUpstream(connection, listPayments))).toMatchObject({ code: 'upstream-bad-reply' })
  })
})

describe('a service that takes too long', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n'

  it.each([
    ['says nothing', { hang: true }],
    ['sends its headers byte by byte', { raw: head, drip: 20 }],
    ['sends its body byte by byte', { raw: `${head}${' '.repeat(400)}`, drip: 5 }],
  ])('has one deadline for everything: it %s (UP-05, UP-06)', async (_, slow) => {
    script = slow
    expect(await fail(callUpstream(connection, listPayments, { deadline: 300 }))).toMatchObject({
      code: 'upstream-timeout',
      status: 504,
      evidence: { written: true },
    })
    expect(service.requests).toHaveLength(1)
  })

  it('spends one deadline on both tries of a read', async () => {
    script = (count) => (count === 1 ? { delay: 200, resetBefore: true } : { hang: true })
    const began = performance.now()
    expect(await fail(callUpstream(connection, listPayments, { deadline: 400 }))).toMatchObject({
      code: 'upstream-timeout',
    })
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(service.requests).toHaveLength(2)
  })

  it('spends one deadline on finding a page size', async () => {
    script = { delay: 250, status: 400 }
    expect(await fail(callUpstream(connection, listPayments, { query: { limit: 100 }, deadline: 600 }))).toMatchObject({
      code: 'upstream-timeout',
    })
    expect(service.requests.length).toBeLessThan(4)
  })

  it('is shown the page that was found, where it takes too long to say once more that a larger one is refused', async () => {
    script = (count) => (count === 1 ? { status: 400 } : count === 2 ? {} : { hang: true })
    const query = { limit: 100 }
    expect(await callUpstream(connection, listPayments, { query, deadline: 1_500 })).toMatchObject({ status: 200 })
    expect(service.requests).toHaveLength(3)
  })

  it('is asked for that page alone for a while, where a larger one failed in place of being refused', async () => {
    script = (count) => (count === 1 ? { status: 500 } : count === 3 ? { hang: true } : {})
    const call = { query: { limit: 100 }, deadline: 1_500 }
    for (let turn = 0; turn < 2; turn += 1)
      expect(await callUpstream(connection, listPayments, call)).toMatchObject({ status: 200 })
    expect(service.requests.map(({ path }) => path.includes('limit='))).toEqual([true, false, true, false])
  })

  it('does not hold up other calls, even 50 times over (UP-06)', async () => {
    script = (count) => (count <= 50 ? { hang: true } : {})
    const order: string[] = []
    const slow = Array.from({ length: 50 }, () =>
      fail(callUpstream(connection, getCustomer, { params: { customerIdOrHandle: 'slow' }, deadline: 1_500 })).then(
        () => order.push('slow'),
      ),
    )
    while (service.requests.length < 50) await new Promise((resolve) => setTimeout(resolve, 5))
    await Promise.all(Array.from({ length: 20 }, () => callUpstream(connection, listPayments)))
    order.push('quick')
    await Promise.all(slow)
    expect(order[0]).toBe('quick')
    expect(order).toHaveLength(51)
  })

  it('is left when the caller gives up', async () => {
    script = { hang: true }
    const caller = new AbortController()
    const call = fail(callUpstream(connection, listPayments, { signal: caller.signal }))
    while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    caller.abort()
    expect((await call).code).toBe('upstream-timeout')
  })
})
