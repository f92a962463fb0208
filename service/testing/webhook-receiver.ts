import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

/** Starts a receiver of callbacks on loopback that records requests and replies 204 unless `answer` is replaced. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = {
    received,
    answer: (response: ServerResponse, _path: string): void => void response.writeHead(204).end(),
    host: '',
    address: (path: string) => `http://${receiver.host}${path}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      receiver.answer(response, request.url ?? '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  receiver.host = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
  return receiver
}
