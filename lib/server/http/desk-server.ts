import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { groupPeer, markPeer, type TrustedProxies } from '../runtime/peer-address'
import { createRequestContext, runWithContext } from '../runtime/request-context'
import { setReplyHeaders, startTrace, type Trace } from '../runtime/trace'
import { Connections } from './connections'
import { createProblemResponse } from './problem-details'
import { findRefusal } from './raw-requests'
import { PeerQueue } from './request-queue'
import { dataPolicy, isNoPage, listSecurityHeaders } from './security-headers'
import { nothingIsUpgraded } from '@/lib/words/refusals'

/** Answers a request with a failure's problem record, without asking Next. */
export async function refuse(response: ServerResponse, failure: AppError, trace: Trace): Promise<void> {
  const reply = setReplyHeaders(createProblemResponse(failure, trace.requestId), trace)
  response.setHeader('content-security-policy', dataPolicy)
  response.setHeaders(reply.headers)
  response.writeHead(reply.status).end(await reply.text())
}

/** Milliseconds in which a client takes the few bytes of such a reply. */
const longestFarewell = 5_000

/** Answers what has no response of Node's, a request to upgrade or to connect, and closes its socket. */
export async function refuseSocket(socket: Duplex, failure: AppError): Promise<void> {
  socket.on('error', () => undefined)
  const trace = startTrace()
  const reply = setReplyHeaders(createProblemResponse(failure, trace.requestId), trace)
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

/**
 * Has a server listen. Throws where it cannot; what fails once it listens, such as taking a single connection in, is a
 * line of the log and ends nothing.
 */
export async function listen(server: Server, port: number, hostname: string): Promise<void> {
  server.listen(port, hostname)
  await once(server, 'listening')
  server.on('error', (error) => log.error({ event: 'server-failed', error: describeError(error) }))
}

/** Milliseconds. */
const limits = {
  /** In which the head of a request, and all of it, must have come (BF-20). */
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /** How often the two above are looked after. */
  connectionsCheckingInterval: 5_000,
}

/** Milliseconds in which a peer must have taken something of its reply. */
const writeTimeout = 30_000

export type DeskServerOptions = {
  /** Next's request handler. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  trustedProxies: TrustedProxies
  maxConnections: number
  /** Milliseconds for which a connection is kept that asks for nothing. */
  keepAlive: number
  /** Takes an upgrade over, or answers false: for hot reloading, in development alone. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
}

/** What every reply carries, whoever writes it; the policy of a page, with its nonce, is the proxy's (proxy.ts). */
function setSecurityHeaders(request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of listSecurityHeaders()) response.setHeader(name, value)
  if (isNoPage(request.url ?? '')) response.setHeader('content-security-policy', dataPolicy)
}

/**
 * The HTTP server of the desk, in front of Next's request handler. What no request may do, whatever Next makes of it,
 * stands here; a process that serves without it refuses to start, and handlers refuse what did not come through it
 * (decision 0119).
 */
export function createDeskServer(options: DeskServerOptions): { server: Server; drain: () => Promise<void> } {
  const { handle, trustedProxies, maxConnections, keepAlive, upgrade } = options
  const server = createServer({ ...limits, keepAliveTimeout: keepAlive })
  server.timeout = writeTimeout
  server.maxRequestsPerSocket = 1_000
  // Node leaves out those past the 2,000th, such as what a proxy puts behind the client's own; 16 KB bound them all.
  server.maxHeadersCount = 0
  server.maxConnections = maxConnections
  const peers = new PeerQueue()
  const connections = new Connections(server, () => peers.giveUpOne())

  /** Ends the connection of a request that nobody could answer. */
  function giveUp(response: ServerResponse, error: unknown): void {
    log.error({ event: 'failed', error: describeError(error) })
    response.destroy()
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await handle(request, response)
    } catch (error) {
      giveUp(response, error)
    }
  }

  async function begin(request: IncomingMessage, response: ServerResponse, findFailure: typeof findRefusal) {
    markPeer(request, trustedProxies)
    const facts = createRequestContext(request)
    setSecurityHeaders(request, response)
    const refusal = findFailure(request)
    if (refusal) return refuse(response, refusal, facts)
    const run = () => runWithContext(facts, () => void answer(request, response))
    peers.take(groupPeer(facts.peer ?? 'unknown'), request, response, run)
  }

  function receive(request: IncomingMessage, response: ServerResponse, findFailure = findRefusal): void {
    connections.answerInTurn(request, response, () => {
      begin(request, response, findFailure).catch((error: unknown) => giveUp(response, error))
    })
  }

  function refuseUpgrade(socket: Duplex): void {
    // A reply of ours would get in the way of the one that is due before it.
    if (connections.isBusy(socket)) socket.destroy()
    else void refuseSocket(socket, new AppError('bad-request', { detail: nothingIsUpgraded }))
  }

  server.on('request', (request, response) => receive(request, response))
  server.on('checkExpectation', (request, response) =>
    receive(request, response, () => new AppError('expectation-failed')),
  )
  server.on('connect', (_request, socket) => refuseUpgrade(socket))
  server.on('upgrade', (request, socket, head) => {
    if (upgrade?.(request, socket, head)) connections.release(socket)
    else refuseUpgrade(socket)
  })
  return { server, drain: () => connections.drain() }
}
