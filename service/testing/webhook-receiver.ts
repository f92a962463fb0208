import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Received = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The number of its connection, from 1. */
  connection: number
}

/** Starts a receiver of callbacks on loopback that records requests and replies 204 unless `answer` is replaced. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = {
    received,
    /** How many connections were accepted. */
    connections: 0,
    answer: (response: ServerResponse, _path: string): void => void response.writeHead(204).end(),
    host: '',
    address: (path: string) => `http://${receiver.host}${path}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const numbers = new WeakMap<Socket, number>()
  const server = createServer((request, response) => {
    const connection = numbers.get(request.socket) ?? 0
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body, connection })
      receiver.answer(response, request.url ?? '')
    })
  }).listen(0, '127.0.0.1')
  server.on('connection', (socket) => numbers.set(socket, (receiver.connections += 1)))
  await once(server, 'listening')
  const at = server.address()
  receiver.host = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
  return receiver
}
