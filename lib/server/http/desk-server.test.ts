import { describe, expect, it } from 'vitest'
import { getRequestContext } from '../runtime/request-context'
import { ask, countConnections, last, makeHeldHandler, makeServerStarter, until } from './testing/test-server'

const start = makeServerStarter()

describe('an upgrade or a tunnel', () => {
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AA==\r\n'

  it.each([
    ask('/payments', upgrade),
    ask('/_next/webpack-hmr', upgrade),
    ask('//169.254.169.254/latest', upgrade),
    ask('http://127.0.0.1:1/', upgrade),
    ask('/', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'),
    'CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  ])('is refused and closed at once, also to a client that holds on: %j', async (bytes) => {
    const { handle, seen } = makeHeldHandler()
    const server = await start(handle)
    const socket = server.open()
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    socket.write(bytes)
    await until(
      'the server to close the connection',
      async () => received !== '' && (await countConnections(server)) === 0,
    )
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/u)
    expect(received).toMatch(/\r\nconnection: close\r\n/u)
    expect(received).toMatch(/\r\nx-content-type-options: nosniff\r\n/u)
    expect(received).toContain('/problems/bad-request')
    expect(seen).toEqual([])
  })

  it('behind a request that is being answered ends the connection', async () => {
    const { handle } = makeHeldHandler()
    const { exchange } = await start(handle)
    expect(await exchange(ask('/') + ask('/', upgrade))).toBe('')
  })

  it('is taken over where development says so, and not counted as idle then', async () => {
    const server = await start(async () => undefined, {
      upgrade: ({ url }, socket) => {
        if (url !== '/_next/hmr') return false
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
        setTimeout(() => socket.end('over'), 500)
        return true
      },
    })
    server.server.timeout = 100
    expect(await server.exchange(ask('/_next/hmr', upgrade))).toMatch(/^HTTP\/1\.1 101 .*over$/su)
    expect(await server.exchange(ask('/payments', upgrade))).toMatch(/^HTTP\/1\.1 400 /u)
  })
})

describe('an expectation', () => {
  const post = (expectation: string) =>
    `POST / HTTP/1.1\r\nHost: x\r\n${last}Content-Length: 2\r\nExpect: ${expectation}\r\n\r\n{}`

  it('of 100-continue is met', async () => {
    const { exchange } = await start(async (request, response) => {
      for await (const chunk of request) response.write(chunk)
      response.end()
    })
    expect(await exchange(post('100-continue'))).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /u)
  })

  it('of anything else is refused with a problem record', async () => {
    const { handle, seen } = makeHeldHandler()
    const { exchange } = await start(handle)
    const reply = await exchange(post('200-maybe'))
    expect(reply).toMatch(/^HTTP\/1\.1 417 /u)
    expect(reply).toContain('/problems/expectation-failed')
    expect(seen).toEqual([])
  })
})

describe('every reply', () => {
  it('carries its headers and has a request of its own, whoever writes it', async () => {
    const { exchange } = await start(async (_request, response) => void response.end(getRequestContext()?.requestId))
    for (const path of ['/api/x', '/hooks/x', '/_next/static/x.js', '/payments/%ff', '//evil.test']) {
      const [head = '', body] = (await exchange(ask(path, last))).split('\r\n\r\n')
      expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
      expect(head.toLowerCase()).toContain('x-frame-options: deny')
      expect(head.toLowerCase()).toContain("content-security-policy: default-src 'none'")
      expect(body).toMatch(/[\da-f-]{36}/u)
    }
  })

  it('is missing where the handler fails: the connection ends, and the server goes on', async () => {
    const { exchange } = await start(async ({ url }, response) => {
      if (url === '/broken') throw new Error('for this test')
      response.end('fine')
    })
    expect(await exchange(ask('/broken'))).toBe('')
    expect(await exchange(ask('/', last))).toMatch(/fine$/u)
  })

  it('is missing too where what stands before the handler fails', async () => {
    const { exchange } = await start(async (_request, response) => void response.end('fine'), {
      trustedProxies: { ranges: ['no address'] },
    })
    expect(await exchange(ask('/', 'X-Forwarded-For: 192.0.2.1\r\n'))).toBe('')
    expect(await exchange(ask('//', last))).toBe('')
  })
})
