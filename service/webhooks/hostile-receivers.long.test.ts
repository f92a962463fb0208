import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Clock, makeClock } from '../simulation/clock'
import { at, startTestService, type TestService, until } from '../testing/test-service'

const megabyte = 1_048_576
/** Maximum bytes read of a reply: 64 KB of body, and the rest of the chunks in which it arrived. */
const MAX_READ_BYTES = 4 * 65_536
/** A gigabyte in a megabyte. */
const bomb = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(16 * megabyte), { level: 9 })))

type Write = (socket: Socket) => void

/** Writes as fast as the client reads until it closes the connection. */
function pour(head: string, piece: () => Buffer): Write {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(piece()));
    }
    socket.on('drain', more)
    socket.write(head)
    more()
  }
}

function dribble(head: string): Write {
  return (socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write('x'), 1_000)
    socket.on('close', () => clearInterval(timer))
  }
}

const kilobyte = Buffer.alloc(1_024, 'x')
const chunk = Buffer.concat([Buffer.from('400\r\n'), kilobyte, Buffer.from('\r\n')])
const ok = 'HTTP/1.1 200 OK\r\n'

/** Name, what is written, and whether the delivery counts as taken, by a status before the body. */
const replies: [name: string, write: Write, taken: boolean][] = [
  [
    'ten megabytes',
    (socket) =>
      void socket.end(
        Buffer.concat([Buffer.from(`${ok}content-length: ${10 * megabyte}\r\n\r\n`), Buffer.alloc(10 * megabyte)]),
      ),
    true,
  ],
  [
    'a gigabyte in a megabyte of gzip',
    (socket) => {
      socket.write(
        `${ok}content-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
      )
      socket.end(bomb)
    },
    true,
  ],
  ['a body without end', pour(`${ok}transfer-encoding: chunked\r\n\r\n`, () => chunk), true],
  [
    'a gzip without end',
    pour(`${ok}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`, () =>
      Buffer.concat([Buffer.from(`${bomb.length.toString(16)}\r\n`), bomb, Buffer.from('\r\n')]),
    ),
    true,
  ],
  ['headers without end', pour(ok, () => Buffer.from(`x-${Math.random()}: ${'x'.repeat(500)}\r\n`)), false],
  ['one header without end', pour(`${ok}x-long: `, () => kilobyte), false],
  ['a status line without end', pour('HTTP/1.1 200 ', () => kilobyte), false],
  [
    'a hundred steps before an answer',
    (socket) => void socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100_000)),
    false,
  ],
  ['a body of a byte a second', dribble(`${ok}content-length: 1000\r\n\r\n`), true],
  ['headers of a byte a second', dribble(`${ok}x-long: `), false],
  ['what is no HTTP', (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'.repeat(10_000)), false],
]

const servers: Server[] = []
const left = new Set<Socket>()
let clock: Clock
let service: TestService
let pending: string[]

async function listen(write: Write): Promise<string> {
  const server = createServer((socket) => {
    left.add(socket)
    // The service closes connections with a reset.
    socket.on('error', () => undefined)
    socket.on('close', () => left.delete(socket))
    socket.once('data', () => write(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  return `127.0.0.1:${String(at(server.address(), 'port'))}`
}

const hosts: string[] = []
beforeAll(async () => {
  for (const [, write] of replies) hosts.push(await listen(write))
  clock = makeClock({ speed: 0 })
  service = await startTestService({ seedPayments: 60, clock, cancelDelay: 1_000, allowedCallbacks: hosts })
  const rows = await service.walk('/Payments', { filter: "status eq 'Pending'", orderby: 'scheduleDate' })
  pending = rows.map((row) => String(at(row, 'id')))
})
afterEach(async () => {
  for (const host of hosts)
    await service.call('POST', '/Merchants/webhooks/unsubscribe', { body: { webhookUrl: `http://${host}/hooks` } })
})
afterAll(async () => {
  await service.close()
  for (const socket of left) socket.destroy()
  for (const server of servers) server.close()
})

/** The service's sockets to a receiver. */
function watchConnections(host: string): { sockets: Socket[]; stop: () => void } {
  const sockets: Socket[] = []
  const note = (message: unknown) => {
    const socket: unknown = at(message, 'socket')
    if (`127.0.0.1:${String(at(message, 'connectParams', 'port'))}` === host) sockets.push(socket as Socket)
  }
  const connected = channel('undici:client:connected')
  connected.subscribe(note)
  return { sockets, stop: () => connected.unsubscribe(note) }
}

test.each(replies.map(([name, , taken], index) => ({ name, taken, index })))(
  'a receiver that answers $name is read no further than 64 KB, and costs no memory',
  async ({ taken, index }) => {
    const host = hosts[index] ?? ''
    const watched = watchConnections(host)
    await service.call('POST', '/Merchants/webhooks/subscribe', { body: { webhookUrl: `http://${host}/hooks` } })
    const before = process.memoryUsage()
    let most = 0
    const sampling = setInterval(() => {
      const { arrayBuffers } = process.memoryUsage()
      most = Math.max(most, arrayBuffers - before.arrayBuffers)
    }, 5)
    await service.call('DELETE', `/Payments/${pending.pop()}`, { body: { text: 'Asked by phone' } })
    clock.advance(1_000)
    const [socket] = await until('a connection', async () => (watched.sockets.length > 0 ? watched.sockets : undefined))
    await until('the connection to be closed', async () => (socket?.destroyed ? true : undefined))
    clearInterval(sampling)
    watched.stop()
    expect(socket?.bytesRead).toBeLessThan(MAX_READ_BYTES)
    expect(most).toBeLessThan(100 * megabyte)
    // The attempt is recorded after its connection was closed.
    const told = await until('the attempt to be written down', async () => {
      const { json } = await service.call('GET', '/Merchants/webhooks')
      const isTaken = Array.isArray(json) && json.map((one) => at(one, 'failingSince') === undefined)
      return JSON.stringify(isTaken) === JSON.stringify([taken]) ? isTaken : undefined
    })
    expect(told).toEqual([taken])
  },
)
