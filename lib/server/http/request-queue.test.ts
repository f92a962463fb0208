import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { within } from '@/lib/database/testing/within'
import { MAX_RECEIVING, MAX_RUNNING } from './request-queue'
import { ask, countConnections, last, makeHeldHandler, makeServerStarter, until } from './testing/test-server'

const start = makeServerStarter()

describe('requests of one peer', () => {
  it('wait for their own beyond a bound, while those of others are answered', async () => {
    const { handle, seen, letGo } = makeHeldHandler()
    const server = await start(handle, { trustedProxies: { hops: 1 } })
    const from = (peer: string) => ask(`/${peer}`, `X-Forwarded-For: ${peer}\r\n${last}`)
    const replies = Array.from({ length: MAX_RUNNING + 8 }, () => server.exchange(from('192.0.2.1')))
    await until('as many as may to be begun', () => seen.length === MAX_RUNNING)
    const gone = server.open()
    gone.write(from('192.0.2.1'))
    const other = server.exchange(from('192.0.2.2'))
    await until('the request of the other to be begun', () => seen.includes('/192.0.2.2'))
    expect(seen).toHaveLength(MAX_RUNNING + 1)
    gone.destroy()
    await until('the one that left to be forgotten', async () => (await countConnections(server)) === MAX_RUNNING + 9)
    letGo()
    await until('the others to be begun', () => seen.length === MAX_RUNNING + 9)
    letGo()
    expect((await Promise.all([...replies, other])).filter((reply) => reply.startsWith('HTTP/1.1 200'))).toHaveLength(
      MAX_RUNNING + 9,
    )
  })
})

describe('bodies that come slowly', () => {
  // Pages accept no large body.
  const slowly = '/api/service/Customers'
  const post = (length: number, sent: string) =>
    `POST ${slowly} HTTP/1.1\r\nHost: desk\r\nContent-Length: ${length}\r\n\r\n${sent}`
  const startReading = async () => {
    const begun: string[] = []
    const server = await start(async (request, response) => {
      begun.push(request.url ?? '')
      let size = 0
      for await (const chunk of request) size += chunk.length
      response.end(`<${size}>`)
    })
    const openMany = (bytes: string) =>
      Array.from({ length: MAX_RUNNING * 2 }, () => {
        const socket = server.open().resume()
        socket.write(bytes)
        return socket
      })
    return { server, begun, openMany }
  }

  it('are waited for without a turn: others of the same peer are answered meanwhile', async () => {
    const { server, begun, openMany } = await startReading()
    const slow = openMany(post(10, '1'))
    await until('all to be connected', async () => (await countConnections(server)) === slow.length)
    expect(await server.exchange(ask('/', last))).toMatch(/<0>/u)
    expect(await server.exchange(post(3, 'all').replace('Host', `${last}Host`))).toMatch(/<3>/u)
    expect(begun).toEqual(['/', slowly])
    expect(slow.filter(({ closed }) => closed)).toHaveLength(0)
  })

  it('take few turns where they are large', async () => {
    const { server, begun, openMany } = await startReading()
    const slow = openMany(post(1_000_000, '1'.repeat(200_000)))
    await until('as many as may to be begun', () => begun.length === MAX_RECEIVING)
    expect(await server.exchange(ask('/', last))).toMatch(/<0>/u)
    expect(begun).toHaveLength(MAX_RECEIVING + 1)
    expect(slow.filter(({ closed }) => closed)).toHaveLength(0)
    for (const socket of slow) socket.destroy()
    const large = post(200_000, '1'.repeat(200_000)).replace('Host', `${last}Host`)
    expect(await Promise.all(Array.from({ length: 8 }, () => server.exchange(large)))).toHaveLength(8)
    expect(begun.length).toBeGreaterThanOrEqual(MAX_RECEIVING + 9)
  })

  it('may end after their reply, when their peer has begun anew', async () => {
    const { handle, seen, letGo } = makeHeldHandler()
    const server = await start(async (request, response) =>
      request.method === 'POST' ? void response.end('early') : handle(request, response),
    )
    const early = server.open()
    const said = once(early, 'data')
    early.write(post(100_000, '1'.repeat(70_000)))
    await within(60_000, 'the early reply', said)
    const replies = Array.from({ length: MAX_RUNNING + 4 }, (_, index) => server.exchange(ask(`/${index}`, last)))
    await until('as many as may to be begun', () => seen.length === MAX_RUNNING)
    early.write('1'.repeat(30_000))
    await pause(50)
    replies.push(server.exchange(ask('/later', last)))
    await pause(50)
    expect(seen).toHaveLength(MAX_RUNNING)
    const rest = setInterval(letGo, 10)
    expect(await Promise.all(replies)).toHaveLength(MAX_RUNNING + 5)
    clearInterval(rest)
  })
})

describe('requests whose client leaves', () => {
  it('give their peer’s turns back, also where the handler never comes to an end', async () => {
    const server = await start(({ url }, response) => {
      if (url === '/') response.end('served')
      return new Promise(() => undefined)
    })
    const leaving = Array.from({ length: MAX_RUNNING * 2 }, () => server.open())
    for (const socket of leaving) socket.write(ask('/file'))
    await until('all to be connected', async () => (await countConnections(server)) === leaving.length)
    await pause(50)
    for (const socket of leaving) socket.destroy()
    expect(await server.exchange(ask('/', last))).toMatch(/served$/u)
  })
})

describe('whoever is slow', () => {
  it('in reading replies makes room for others, the peer with the most first', async () => {
    const begun: string[] = []
    const ended: string[] = []
    const server = await start(
      async ({ url = '' }, response) => {
        begun.push(url)
        response.once('close', () => ended.push(url)).end(url === '/' ? 'served' : Buffer.alloc(10_000_000))
      },
      { maxConnections: MAX_RUNNING + 4, trustedProxies: { hops: 1 } },
    )
    const from = (peer: string, path: string) => ask(path, `X-Forwarded-For: ${peer}\r\n${last}`)
    const load = async (peer: string, path: string) => {
      server.open().pause().write(from(peer, path))
      await until(`${path} to be begun`, () => begun.includes(path))
    }
    await load('192.0.2.1', '/of-one')
    for (let sent = 0; sent < MAX_RUNNING; sent += 1) await load('192.0.2.2', `/${sent}`)
    for (let visit = 1; visit <= 6; visit += 1) {
      await load('192.0.2.3', `/of-visit-${visit}`)
      expect(await server.exchange(from('192.0.2.4', '/'))).toMatch(/served$/u)
    }
    expect(ended.filter((url) => url !== '/').slice(0, 3)).toEqual(['/0', '/1', '/2'])
    expect(ended.filter((url) => url.startsWith('/of-'))).toEqual([])
  })

  it('in sending what has begun makes room too', async () => {
    const begun: string[] = []
    const server = await start(
      async (request, response) => {
        begun.push(request.url ?? '')
        for await (const _chunk of request);
        response.end('served')
      },
      { maxConnections: MAX_RECEIVING * 8, trustedProxies: { hops: 1 } },
    )
    for (let sent = 0; sent < MAX_RECEIVING * 8; sent += 1) {
      const peer = `192.0.2.${Math.floor(sent / MAX_RECEIVING)}`
      const head = `POST /api/service/Customers?${sent} HTTP/1.1\r\nHost: desk\r\nX-Forwarded-For: ${peer}\r\nContent-Length: 100000\r\n\r\n`
      server.open().write(`${head}${'1'.repeat(65_000)}`)
      await until('the upload to be begun', () => begun.includes(`/api/service/Customers?${sent}`))
    }
    expect(await server.exchange(ask('/', `X-Forwarded-For: 192.0.2.100\r\n${last}`))).toMatch(/served$/u)
  })
})
