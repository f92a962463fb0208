import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { startTrace, type Trace } from './headers'
import { peerHeader } from './peer-address'

/** Who asks and on whose behalf: what is known of a piece of work, for its log lines and activity rows. No secret. */
export type RequestFacts = Trace & {
  /** The address of the other end of the connection; absent for what the desk does by itself. */
  peer?: string
  /** What the browser says of itself, cut short: for the list of one's own sign-ins, in no log line. */
  userAgent?: string
  sessionId?: string
  userId?: string
  email?: string
  /** The merchant whose data the session works on. */
  connectionId?: string
}

type RememberedSession = { sessionId: string; userId: string; email: string; scope: { connectionId: string } }

declare global {
  /** Next loads this module once per module graph (instrumentation, proxy, pages, route handlers): the storage is one per process. */
  var debitdeskRequestFacts: AsyncLocalStorage<RequestFacts> | undefined
}

function getStorage(): AsyncLocalStorage<RequestFacts> {
  return (globalThis.debitdeskRequestFacts ??= new AsyncLocalStorage())
}

/** The facts of the work going on; undefined outside of any, as during the start. */
export function getRequestFacts(): RequestFacts | undefined {
  return getStorage().getStore()
}

/** Runs something under facts of its own; whatever it begins, later too, keeps them. */
export function runWithFacts<Result>(facts: RequestFacts, run: () => Result): Result {
  return getStorage().run(facts, run)
}

/**
 * Runs what the desk does by itself, a turn of a worker: under a new request id and trace, nobody's session.
 * Without it such work would carry the facts of whichever request happened to start it.
 */
export function inBackground<Result>(run: () => Result): Result {
  return runWithFacts(startTrace(), run)
}

/** Runs the answering of a request under the facts that its connection brought, or, without markRequests, under new ones. */
export function duringRequest<Result>(request: Request, run: (facts: RequestFacts) => Result): Result {
  const known = getRequestFacts()
  if (known) return run(known)
  const peer = request.headers.get(peerHeader)
  const facts: RequestFacts = { ...startTrace(request.headers.get('traceparent')), ...(peer !== null && { peer }) }
  return runWithFacts(facts, () => run(facts))
}

/** Adds the session that a request turned out to have. */
export function rememberSession({ sessionId, userId, email, scope }: RememberedSession): void {
  const facts = getRequestFacts()
  if (facts) Object.assign(facts, { sessionId, userId, email, connectionId: scope.connectionId })
}

function enter(message: unknown): void {
  // Node publishes { request, response, socket, server } on this channel, synchronously before it hands the request on.
  const { request } = message as { request: IncomingMessage }
  const { traceparent, 'user-agent': agent, [peerHeader]: marked } = request.headers
  const peer = typeof marked === 'string' ? marked : request.socket.remoteAddress
  const trace = startTrace(typeof traceparent === 'string' ? traceparent : null)
  const userAgent = agent?.slice(0, 500)
  getStorage().enterWith({ ...trace, ...(peer !== undefined && { peer }), ...(userAgent && { userAgent }) })
}

/**
 * Gives every request of this process facts of its own before anybody handles it: pages too, into which
 * Next lets no code of ours reach early. To be called after markPeers, whose word on the peer it takes.
 */
export function markRequests(): void {
  subscribe('http.server.request.start', enter)
}
