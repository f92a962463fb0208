import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach } from 'vitest'
import { within } from '@/lib/database/testing/within'
import { createDeskServer, type DeskServerOptions, listen } from '../desk-server'

export type TestServer = {
  server: Server
  retire: () => void
  drain: () => Promise<void>
  port: number
  /** A connection that discards what it receives; closed by the test or by `close`. */
  open: () => Socket
  /** Sends these bytes and resolves to everything received until the server closes the connection. */
  exchange: (bytes: string) => Promise<string>
  close: () => Promise<void>
}

/** The desk's HTTP server around a handler in place of Next's, on a port of its own. */
export async function startTestServer(
  handle: DeskServerOptions['handle'],
  options: Partial<DeskServerOptions> = {},
): Promise<TestServer> {
  process.env.NEXTAUTH_URL ??= 'http://127.0.0.1:3000'
  const { server, retire, drain } = createDeskServer({
    handle,
    trustedProxies: { hops: 0 },
    maxConnections: 1_024,
    keepAlive: 5_000,
    ...options,
  })
  await listen(server, 0, '127.0.0.1')
  const { port } = server.address() as AddressInfo
  const open = () => connect(port, '127.0.0.1').on('error', () => undefined)
  const exchange = (bytes: string) => {
    const socket = open()
    let received = ''
    const closed = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => (received += chunk.toString('latin1')))
      socket.on('close', () => resolve(received))
    })
    socket.write(bytes, 'latin1')
    return within(60_000, `the server to close the connection after ${JSON.stringify(bytes.slice(0, 60))}`, closed)
  }
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { server, retire, drain, port, open, exchange, close }
}

/** Returns a function that starts a server, closed after each test. */
export function makeServerStarter(): typeof startTestServer {
  let server: TestServer | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  return async (...given) => (server = await startTestServer(...given))
}

/** A GET request as bytes; `more` holds further header lines. */
export const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: desk\r\n${more}\r\n`
/** A header line that makes the server close the connection after its reply. */
export const last = 'Connection: close\r\n'

export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const wait = async () => {
    while (!(await holds())) await pause(10)
  }
  await within(60_000, what, wait())
}

export function countConnections({ server }: TestServer): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

/** A handler that answers once `letGo` is called, with the URLs it has seen and those whose client left. */
export function makeHeldHandler() {
  const seen: string[] = []
  const abandoned: string[] = []
  const pending: (() => void)[] = []
  const handle: DeskServerOptions['handle'] = async ({ url = '' }, response) => {
    seen.push(url)
    response.once('close', () => {
      if (!response.writableFinished) abandoned.push(url)
    })
    await new Promise<void>((resolve) => pending.push(resolve))
    response.end(url)
  }
  return { handle, seen, left: abandoned, letGo: () => pending.splice(0).forEach((resolve) => resolve()) }
}
