import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Failure } from '../failure'
import { sealReply, startTrace, type Trace } from '../headers'
import { problemResponse } from '../problem-response'
import { dataPolicy, listSecurityHeaders } from '../security-headers'

/** Answers a request with a failure's problem record, without asking Next. */
export async function refuse(response: ServerResponse, failure: Failure, trace: Trace): Promise<void> {
  const reply = sealReply(problemResponse(failure, trace.requestId), trace)
  response.setHeader('content-security-policy', dataPolicy)
  response.setHeaders(reply.headers)
  response.writeHead(reply.status).end(await reply.text())
}

/** Milliseconds in which a client takes the few bytes of such a reply. */
const longestFarewell = 5_000

/** Answers what has no response of Node's, a request to upgrade or to connect, and closes its socket. */
export async function refuseSocket(socket: Duplex, failure: Failure): Promise<void> {
  socket.on('error', () => undefined)
  const trace = startTrace()
  const reply = sealReply(problemResponse(failure, trace.requestId), trace)
  const body = await reply.text()
  const headers: [string, string][] = [
    ...listSecurityHeaders(),
    ['content-security-policy', dataPolicy],
    ...reply.headers,
    ['content-length', String(Buffer.byteLength(body))],
    ['connection', 'close'],
  ]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines}\r\n${body}`, () =>
    socket.destroy(),
  )
  setTimeout(() => socket.destroy(), longestFarewell).unref()
}
