import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { within } from '@/lib/database/testing/within'
import { MAX_OUTSTANDING } from './connections'
import { listen } from './desk-server'
import { MAX_RUNNING } from './request-queue'
import { ask, countConnections, last, makeHeldHandler, makeServerStarter, until } from './testing/test-server'

const start = makeServerStarter()

describe('pipelined requests', () => {
  it('are answered one after the other, in order', async () => {
    let running = 0
    let most = 0
    const { exchange } = await start(async ({ url }, response) => {
      running += 1
      most = Math.max(most, running)
      await pause(5)
      running -= 1
      response.end(`<${url}>`)
    })
    const paths = Array.from({ length: MAX_OUTSTANDING }, (_, index) => `/${index}`)
    const replies = await exchange(paths.map((path, at) => ask(path, at === paths.length - 1 ? last : '')).join(''))
    expect(Array.from(replies.matchAll(/<(\/\d)>/gu), ([, path]) => path)).toEqual(paths)
    expect(most).toBe(1)
  })

  it('beyond a few end the connection before any of them is begun', async () => {
    const { handle, seen } = makeHeldHandler()
    const { exchange } = await start(handle)
    expect(await exchange(ask('/sign-in').repeat(4_000))).toBe('')
    expect(seen).toEqual([])
  })

  it('beyond a few end the connection also when they come one by one, and what was begun hears of it', async () => {
    const { handle, seen, left } = makeHeldHandler()
    const { open } = await start(handle)
    const socket = open()
    const closed = once(socket, 'close')
    socket.resume().write(ask('/first'))
    await until('the first request to be begun', () => seen.length === 1)
    for (let sent = 0; sent < MAX_OUTSTANDING; sent += 1) {
      socket.write(ask('/more'))
      await pause(5)
    }
    await within(60_000, 'the connection to be closed', closed)
    await until('the first request to be given up', () => left.length === 1)
    expect([seen, left]).toEqual([['/first'], ['/first']])
  })

  it('that wait are never begun once the client is gone', async () => {
    const { handle, seen, left, letGo } = makeHeldHandler()
    const { open } = await start(handle)
    const socket = open()
    socket.write(ask('/1') + ask('/2') + ask('/3'))
    await until('the first request to be begun', () => seen.length === 1)
    socket.destroy()
    await until('the first request to be given up', () => left.length === 1)
    letGo()
    await pause(50)
    expect(seen).toEqual(['/1'])
  })
})

describe('a reply that nobody reads', () => {
  it('ends its connection, and the work for it', async () => {
    let isClosed = false
    const server = await start(async (_request, response) => {
      const pour = () => {
        while (response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', pour).once('close', () => (isClosed = true))
      pour()
    })
    expect(server.server.timeout).toBeLessThanOrEqual(30_000)
    server.server.timeout = 200
    server.open().pause().write(ask('/'))
    await until('the connection to be closed', () => isClosed)
    expect(await countConnections(server)).toBe(0)
  })

  it('is one only if there is something to read: slow work keeps its connection', async () => {
    const server = await start(async (_request, response) => {
      await pause(600)
      response.end('done')
    })
    server.server.timeout = 100
    expect(await server.exchange(ask('/', last))).toMatch(/done$/u)
  })
})

describe('connections', () => {
  const opened = (sockets: readonly Socket[]) => Promise.all(sockets.map((socket) => once(socket, 'connect')))

  it('that ask for nothing make room for others, the longest idle first', async () => {
    const server = await start(async (_request, response) => void response.end('served'), { maxConnections: 16 })
    const idle = Array.from({ length: 60 }, () => server.open())
    await opened(idle)
    for (const [at, socket] of idle.entries()) if (at % 2 === 0) socket.write('GET / HTTP/1.1\r\nX-Slow: ')
    expect(await server.exchange(ask('/', last))).toMatch(/served$/u)
    expect(await countConnections(server)).toBeLessThanOrEqual(16)
    expect(idle.at(-1)?.destroyed).toBe(false)
  })

  it('that are being answered keep their place', async () => {
    const { handle, seen, letGo } = makeHeldHandler()
    const server = await start(handle, { maxConnections: 16 })
    const busy = Array.from({ length: 15 }, (_, index) => server.exchange(ask(`/${index}`, last)))
    await until('all requests to be begun', () => seen.length === 15)
    const others = Array.from({ length: 40 }, () => server.open().resume())
    await until('the others to be turned away', () => others.filter(({ closed }) => closed).length >= 39)
    letGo()
    for (const [index, reply] of (await Promise.all(busy)).entries()) expect(reply).toContain(`\r\n/${index}`)
  })

  it('of one peer that wait in line make room for others, the last to come first', async () => {
    const { handle, seen, letGo } = makeHeldHandler()
    const server = await start(handle, { maxConnections: MAX_RUNNING + 8, trustedProxies: { hops: 1 } })
    const from = (peer: string, path: string) => ask(path, `X-Forwarded-For: ${peer}\r\n${last}`)
    const flood: Promise<string>[] = []
    for (let sent = 0; sent < MAX_RUNNING + 7; sent += 1) flood.push(server.exchange(from('192.0.2.1', `/${sent}`)))
    await until('as many as may to be begun', () => seen.length === MAX_RUNNING)
    await until('all to be connected', async () => (await countConnections(server)) === MAX_RUNNING + 7)
    const others = ['192.0.2.2', '192.0.2.3', '192.0.2.4'].map((peer) => `/of ${peer}`.replace(' ', '-'))
    const replies: Promise<string>[] = []
    for (const path of others) {
      replies.push(server.exchange(from(path.slice('/of-'.length), path)))
      await until(`${path} to be begun`, () => seen.includes(path))
    }
    letGo()
    for (const [at, reply] of (await Promise.all(replies)).entries()) expect(reply).toContain(`\r\n${others[at]}`)
    const rest = setInterval(letGo, 10)
    const answered = (await Promise.all(flood)).filter((reply) => reply !== '')
    clearInterval(rest)
    expect(answered.length).toBeGreaterThanOrEqual(MAX_RUNNING)
    expect(answered.length).toBeLessThan(MAX_RUNNING + 7)
  })

  it('are kept as long as said between requests, however soon one that takes nothing is ended', async () => {
    const server = await start(async (_request, response) => void response.end('served'), { keepAlive: 600 })
    server.server.timeout = 100
    const socket = server.open().resume()
    const closed = once(socket, 'close')
    socket.write(ask('/'))
    await once(socket, 'data')
    await pause(350)
    expect(await countConnections(server)).toBe(1)
    await within(60_000, 'the connection to be closed', closed)
  })

  it('have the documented bounds of time and size', async () => {
    const { server } = await start(async () => undefined)
    for (const limit of [server.headersTimeout, server.requestTimeout]) {
      expect(limit).toBeGreaterThan(0)
      expect(limit).toBeLessThanOrEqual(30_000)
    }
    expect(server.maxRequestsPerSocket).toBeGreaterThan(0)
  })
})

describe('a server that listens', () => {
  it('goes on where a single connection cannot be taken in, and says where it cannot listen at all', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const server = await start(async (_request, response) => void response.end('served'))
    server.server.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }))
    expect(write.mock.calls.join('')).toMatch(/"server-failed".*"ENOBUFS"/u)
    write.mockRestore()
    expect(await server.exchange(ask('/', last))).toMatch(/served$/u)
    await expect(listen(createServer(), server.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('a server that retires', () => {
  it('goes on answering old and new connections, and ends each with its reply', async () => {
    const { exchange, retire } = await start(async ({ url }, response) => {
      if (url === '/retire') retire()
      response.end(`<${url}>`)
    })
    const first = await exchange(ask('/retire') + ask('/next'))
    expect(first).toMatch(/<\/retire>[^]*connection: close[^]*<\/next>/iu)
    expect(await exchange(ask('/new'))).toMatch(/connection: close[^]*<\/new>/iu)
  })
})

describe('a server that drains', () => {
  it('answers what was asked, what waits in line too, and accepts nothing more', async () => {
    const { handle, seen, letGo } = makeHeldHandler()
    const server = await start(handle)
    const replies = server.exchange(ask('/1') + ask('/2'))
    const idle = server.open()
    await until('the first request to be begun', () => seen.length === 1)
    const drained = server.drain()
    const [refused] = await once(server.open().removeAllListeners('error'), 'error')
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
    letGo()
    await until('the second request to be begun', () => seen.length === 2)
    letGo()
    await within(60_000, 'the server to drain', drained)
    expect((await replies).match(/HTTP\/1\.1 200/gu)).toHaveLength(2)
    await until('the idle connection to be closed', () => idle.destroyed || idle.readableEnded)
  })
})
