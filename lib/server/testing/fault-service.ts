import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A received request; `path` is the raw request target. */
export type RecordedRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Alternating names and values, as sent. */
  rawHeaders: string[]
  body: string
  /** The number of its connection, from 1: requests with the same number shared a socket. */
  connection: number
  at: Date
}

/** The reply to a request; by default 200 with an empty JSON object. */
export type Script = {
  status?: number
  /** Exactly these besides the framing; by default `content-type: application/json`. */
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
  /** Milliseconds before the reply. */
  delay?: number
  /** Never replies. */
  hang?: boolean
  /** Resets the connection instead of replying. */
  resetBefore?: boolean
  /** Announces the whole body, sends this many bytes of it and resets the connection. */
  resetAfterBytes?: number
  /** Sends exactly these bytes instead of an HTTP reply and closes the connection. */
  raw?: string | Uint8Array
  /** Milliseconds between two bytes of `raw`. */
  drip?: number
}

export type FaultService = { url: string; requests: RecordedRequest[]; close: () => Promise<void> }

async function record(request: IncomingMessage, connection: number): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const { method = '', url = '', headers, rawHeaders } = request
  const body = Buffer.concat(chunks).toString('utf8')
  return { method, path: url, headers, rawHeaders, body, connection, at: new Date() }
}

async function writeRaw(socket: Socket, { raw = '', drip }: Script): Promise<void> {
  const bytes = Buffer.from(raw)
  if (drip === undefined) return void socket.end(bytes)
  for (const byte of bytes) {
    if (socket.destroyed) return
    socket.write(Uint8Array.of(byte))
    await wait(drip)
  }
  socket.end()
}

async function play(script: Script, response: ServerResponse): Promise<void> {
  const { socket } = response
  if (script.delay !== undefined) await wait(script.delay)
  if (script.hang || !socket) return
  if (script.resetBefore) return void socket.resetAndDestroy()
  if (script.raw !== undefined) return writeRaw(socket, script)
  const body = Buffer.from(script.body ?? '{}')
  const headers = script.headers ?? { 'content-type': 'application/json' }
  const isChunked = Object.keys(headers).some((name) => name.toLowerCase() === 'transfer-encoding')
  const hasNone = [204, 205, 304].includes(script.status ?? 200)
  response.writeHead(
    script.status ?? 200,
    isChunked || hasNone ? headers : { 'content-length': String(body.length), ...headers },
  )
  if (script.resetAfterBytes === undefined) return void response.end(hasNone ? undefined : body)
  response.write(body.subarray(0, script.resetAfterBytes), () => setTimeout(() => socket.resetAndDestroy(), 20))
}

/**
 * A service on loopback that replies as the handler says, even in ways no sound service would, and records all requests.
 * Close it in `afterAll`. It takes a free port unless one is given.
 */
export async function startFaultService(
  handler: (request: RecordedRequest) => Script | Promise<Script>,
  givenPort = 0,
): Promise<FaultService> {
  const requests: RecordedRequest[] = []
  const connections = new WeakMap<Socket, number>()
  let counted = 0
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await record(incoming, connections.get(incoming.socket) ?? 0)
    requests.push(request)
    await play(await handler(request), response)
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => connections.set(socket, (counted += 1)))
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(givenPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${port}`, requests, close }
}
