import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { startTrace, type Trace } from './trace'
import { peerHeader } from './peer-address'

/** Who asks and on whose behalf: what is known of a piece of work, for its log lines and activity rows. No secret. */
export type RequestContext = Trace & {
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
  var debitdeskRequestFacts: AsyncLocalStorage<RequestContext> | undefined
}

function getStorage(): AsyncLocalStorage<RequestContext> {
  return (globalThis.debitdeskRequestFacts ??= new AsyncLocalStorage())
}

/** The facts of the work going on; undefined outside of any, as during the start. */
export function getRequestContext(): RequestContext | undefined {
  return getStorage().getStore()
}

/** Runs something under facts of its own; whatever it begins, later too, keeps them. */
export function runWithContext<Result>(facts: RequestContext, run: () => Result): Result {
  return getStorage().run(facts, run)
}

/**
 * Runs what the desk does by itself, a turn of a worker: under a new request id and trace, nobody's session.
 * Without it such work would carry the facts of whichever request happened to start it.
 */
export function inBackground<Result>(run: () => Result): Result {
  return runWithContext(startTrace(), run)
}

/**
 * Whether the work going on belongs to a request that came through the desk's own server (http/desk-server.ts). Without it
 * nothing of what is refused there would be, so that pages and handlers refuse. Tests call them without a server.
 */
export function isGuarded(): boolean {
  return getRequestContext() !== undefined || process.env.NODE_ENV === 'test'
}

/** Runs the answering of a request under the facts that the server found, or, in a test without one, under new ones. */
export function withRequestContext<Result>(request: Request, run: (facts: RequestContext) => Result): Result {
  const known = getRequestContext()
  if (known) return run(known)
  const peer = request.headers.get(peerHeader)
  const facts: RequestContext = { ...startTrace(request.headers.get('traceparent')), ...(peer !== null && { peer }) }
  return runWithContext(facts, () => run(facts))
}

/** Adds the session that a request turned out to have. */
export function rememberSession({ sessionId, userId, email, scope }: RememberedSession): void {
  const facts = getRequestContext()
  if (facts) Object.assign(facts, { sessionId, userId, email, connectionId: scope.connectionId })
}

/** The facts that a request brings with it, under an id of its own. To be called after markPeer, whose word on the peer it takes. */
export function createRequestContext({ headers, socket }: IncomingMessage): RequestContext {
  const { traceparent, 'user-agent': agent, [peerHeader]: marked } = headers
  const peer = typeof marked === 'string' ? marked : socket.remoteAddress
  const trace = startTrace(typeof traceparent === 'string' ? traceparent : null)
  const userAgent = agent?.slice(0, 500)
  return { ...trace, ...(peer !== undefined && { peer }), ...(userAgent && { userAgent }) }
}
