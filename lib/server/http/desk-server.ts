import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { groupPeer, markPeer, type TrustedProxies } from '../runtime/peer-address'
import { createRequestContext, runWithContext } from '../runtime/request-context'
import { setReplyHeaders, startTrace, type Trace } from '../runtime/trace'
import { countRequest } from '../metrics/route-label'
import { answerScrape, hasToken, isScrape, measureProcess, metricsPath } from '../metrics/scrape'
import { countProblem, getInstruments } from '../metrics/instruments'
import { traceRequest } from '../tracing/trace-request'
import { Connections } from './connections'
import { createProblemResponse } from './problem-details'
import type { RegisteredServer } from './registered-server'
import { findRefusal } from './raw-requests'
import { PeerQueue } from './request-queue'
import { dataPolicy, isNoPage, listSecurityHeaders } from './security-headers'
import * as m from '@/lib/messages/m'

/** Answers a request with a problem record, without involving Next. */
export async function refuse(response: ServerResponse, failure: AppError, trace: Trace): Promise<void> {
  countProblem(failure)
  const reply = setReplyHeaders(createProblemResponse(failure, trace.requestId), trace)
  response.setHeader('content-security-policy', dataPolicy)
  response.setHeaders(reply.headers)
  response.writeHead(reply.status).end(await reply.text())
}

/** For a client to take the few bytes of a refusal before the socket is destroyed. */
const FAREWELL_TIMEOUT_MS = 5_000

/** Answers an upgrade or CONNECT request, for which Node creates no response, and closes its socket. */
export async function refuseSocket(socket: Duplex, failure: AppError): Promise<void> {
  socket.on('error', () => undefined)
  countProblem(failure)
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
  setTimeout(() => socket.destroy(), FAREWELL_TIMEOUT_MS).unref()
}

/**
 * Starts listening. Throws when that fails; later server errors, such as a failed accept, are logged and end nothing.
 */
export async function listen(server: Server, port: number, hostname: string): Promise<void> {
  server.listen(port, hostname)
  await once(server, 'listening')
  server.on('error', (error) => log.error({ event: 'server-failed', error: describeError(error) }))
}

const LIMITS_MS = {
  /** For the head of a request and for the whole request to arrive (BF-20). */
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /** Interval at which Node checks the two above. */
  connectionsCheckingInterval: 5_000,
}

/** For a peer to read some of its reply. */
const WRITE_TIMEOUT_MS = 30_000

export type DeskServerOptions = {
  /** Next's request handler. */
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  trustedProxies: TrustedProxies
  maxConnections: number
  /** Milliseconds an idle connection is kept open. */
  keepAlive: number
  /** What a scrape of the metrics must carry; without it there are none. */
  metricsToken?: string
  /** Takes over an upgrade and returns true, or returns false. Used for hot reloading in development. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
}

/** The headers every reply carries; a page's policy with its nonce is set in proxy.ts. */
function setSecurityHeaders(request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of listSecurityHeaders()) response.setHeader(name, value)
  if (isNoPage(request.url ?? '')) response.setHeader('content-security-policy', dataPolicy)
}

/**
 * The desk's HTTP server in front of Next's request handler, enforcing limits that hold whatever Next does. A process
 * served without it refuses to start, and handlers refuse requests that bypassed it (decision 0119).
 */
export function createDeskServer(options: DeskServerOptions): RegisteredServer & { server: Server } {
  const { handle, trustedProxies, maxConnections, keepAlive, metricsToken, upgrade } = options
  const server = createServer({ ...LIMITS_MS, keepAliveTimeout: keepAlive })
  server.timeout = WRITE_TIMEOUT_MS
  server.maxRequestsPerSocket = 1_000
  // Node drops headers past the 2,000th, such as those a proxy appends; the 16 KB limit bounds them anyway.
  server.maxHeadersCount = 0
  server.maxConnections = maxConnections
  const peers = new PeerQueue()
  getInstruments().queues.set('http', () => peers.countWaiting())
  if (metricsToken !== undefined) measureProcess()
  const connections = new Connections(server, () => peers.dropOne())

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
    const context = createRequestContext(request)
    countRequest(request, response, context)
    const inSpan = traceRequest(request, response, context)
    setSecurityHeaders(request, response)
    const refusal = findFailure(request)
    if (refusal) return refuse(response, refusal, context)
    if (isScrape(request)) {
      context.route = metricsPath
      if (metricsToken !== undefined && hasToken(request, metricsToken)) return answerScrape(response)
      return refuse(response, new AppError('not-found'), context)
    }
    const peer = groupPeer(context.peer ?? 'unknown')
    context.leaveQueue = () => peers.release(peer, response)
    const run = () => inSpan(() => runWithContext(context, () => void answer(request, response)))
    peers.enqueue(peer, request, response, run)
  }

  function receive(request: IncomingMessage, response: ServerResponse, findFailure = findRefusal): void {
    connections.answerInTurn(request, response, () => {
      begin(request, response, findFailure).catch((error: unknown) => giveUp(response, error))
    })
  }

  function refuseUpgrade(socket: Duplex): void {
    // Our reply would arrive before the one still due on this connection.
    if (connections.isBusy(socket)) socket.destroy()
    else void refuseSocket(socket, new AppError('bad-request', { detail: m.refusals_nothingIsUpgraded() }))
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
  return { server, retire: () => connections.retire(), drain: () => connections.drain() }
}
