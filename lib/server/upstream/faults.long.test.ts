import { createServer, type Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { endpoints } from '@/lib/api-contract/endpoints'
import { makeConnection, setConnection } from './connection'
import { AppError } from '../runtime/app-error'
import { callEndpoint } from './call-endpoint'
import { parseSettings } from '../runtime/settings'
import { type FaultService, type Script, startFaultService } from '../testing/fault-service'
import { makeSession } from '../testing/store-fixture'
import { callUpstream } from './call-upstream'

/* The faults of a service under load: many users, for minutes, and replies that would exhaust a machine's memory. */

const session = makeSession('admin')
const empty: Script = { body: '{"results":[],"hasMore":false}' }
let service: FaultService | undefined
let server: Server | undefined

afterEach(async () => {
  globalThis.debitdeskUpstreamStates = undefined
  globalThis.debitdeskConnections = undefined
  await service?.close()
  server?.closeAllConnections()
  server?.close()
  ;[service, server] = [undefined, undefined]
})

function pointAt(url: string): void {
  setConnection(makeConnection(parseSettings({ UPSTREAM_URL: url, UPSTREAM_AUTH: 'none' })))
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : 'internal')
const list = () => callEndpoint(session, 'listPayments', { retry: true }).then(() => 'answered', codeOf)

describe('a storm of 429 for a minute, met by two hundred users (UP-10)', () => {
  it('is met with at most a tenth more requests than they made', async () => {
    service = await startFaultService(() => ({ status: 429 }))
    pointAt(service.url)
    const until = Date.now() + 60_000
    let made = 0
    const users = Array.from({ length: 200 }, async () => {
      while (Date.now() < until) {
        made += 1
        expect(await list()).toBe('upstream-slow-down')
        await wait(1_000 + Math.random() * 4_000)
      }
    })
    await Promise.all(users)
    expect(service.requests.length).toBeLessThanOrEqual(made * 1.1)
    expect(made).toBeGreaterThan(2_000)
  })
})

describe('a service that flaps for ten minutes (UP-34)', () => {
  it('is asked on, by one at a time while it is down, and read again within ten seconds of being well', async () => {
    let isWell = false
    service = await startFaultService(() => (isWell || Math.random() < 0.5 ? empty : { resetBefore: true }))
    pointAt(service.url)
    const until = Date.now() + 600_000
    const seen = new Set<string>()
    const users = Array.from({ length: 20 }, async () => {
      while (Date.now() < until) {
        seen.add(await list())
        await wait(100)
      }
    })
    await Promise.all(users)
    expect([...seen].toSorted()).toEqual(['answered', 'upstream-unreachable'])
    isWell = true
    const back = Date.now() + 10_000
    let answer = await list()
    while (answer !== 'answered' && Date.now() < back) {
      await wait(100)
      answer = await list()
    }
    expect(answer).toBe('answered')
  }, 660_000)
})

/** A server that answers every request with the reply written by `send`. */
async function startSender(
  headers: Record<string, string>,
  send: (write: (chunk: Buffer) => Promise<void>) => Promise<void>,
) {
  server = createServer((_, response) => {
    const body = headers['content-encoding'] === 'gzip' ? createGzip() : response
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    if (body !== response) body.pipe(response)
    const write = (chunk: Buffer) =>
      new Promise<void>((resolve, reject) => {
        if (response.destroyed) reject(new Error('nobody listens'))
        else if (body.write(chunk)) resolve()
        else body.once('drain', resolve)
      })
    response.on('close', () => body.destroy())
    send(write).then(
      () => body.end(),
      () => undefined,
    )
  })
  const running = server
  await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
  const address = running.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return makeConnection(parseSettings({ UPSTREAM_URL: `http://127.0.0.1:${port}`, UPSTREAM_AUTH: 'none' }))
}

const megabyte = Buffer.alloc(1_048_576, ' ')
const times = (count: number, chunk: Buffer) => async (write: (chunk: Buffer) => Promise<void>) => {
  for (let index = 0; index < count; index += 1) await write(chunk)
}

describe('a reply that would fill a machine (UP-28)', () => {
  it.each([
    ['ten megabytes', {}, times(10, megabyte)],
    ['five gigabytes behind gzip', { 'content-encoding': 'gzip' }, times(5_000, megabyte)],
    ['a list of two hundred levels', {}, times(1, Buffer.from('['.repeat(200) + ']'.repeat(200)))],
    ['nine megabytes of keys', {}, times(9, Buffer.from(`"${'k'.repeat(10)}":1,`.repeat(75_000)))],
  ] as const)('is given up: %s', async (_, headers, send) => {
    const connection = await startSender(headers, send)
    const before = process.memoryUsage().rss
    let most = before
    const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    const error: unknown = await callUpstream(connection, endpoints.listPayments, { deadline: 60_000 }).then(
      () => new Error('it was answered'),
      (caught: unknown) => caught,
    )
    clearInterval(sampling)
    expect(codeOf(error)).toBe('upstream-bad-reply')
    // The sender runs in this process too and holds a megabyte or two at once.
    expect(most - before).toBeLessThan(100 * 1_048_576)
  })
})
