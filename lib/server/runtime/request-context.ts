import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { chooseLanguage, languageCookie } from '@/lib/language/choose-language'
import type { ApiTokenReference } from '@/lib/domain/api-tokens'
import type { Language } from '@/lib/language/runtime'
import { parseCookies } from '../http/cookies'
import { startTrace, type Trace } from './trace'
import { outsideSpans } from '../tracing/spans'
import { peerHeader } from './peer-address'

/** Who a piece of work is for: the fields of its log lines and activity rows. Holds no secret. */
export type RequestContext = Trace & {
  /** The client's address; absent for the desk's own work. */
  peer?: string
  /** Shortened; for the list of one's own sign-ins, never for log lines. */
  userAgent?: string
  sessionId?: string
  /** The API token in place of a sign-in. */
  apiToken?: ApiTokenReference
  userId?: string
  email?: string
  /** The session's merchant account. */
  connectionId?: string
  /** The language of the texts; English where there is none, as in the desk's own work. */
  language?: Language
  /** The template of the request's route, such as `/api/desk/bulk/[bulkId]`, once its handler runs. */
  route?: string
  /** Ends the request's turn in its peer's queue, for a reply that stays open (see PeerQueue). */
  leaveQueue?: () => void
}

type RememberedSession = {
  sessionId: string
  apiToken?: ApiTokenReference | undefined
  userId: string
  email: string
  scope: { connectionId: string }
}

declare global {
  /** Next loads this module once per graph (instrumentation, proxy, pages, route handlers); the storage is one per process. */
  var debitdeskRequestContext: AsyncLocalStorage<RequestContext> | undefined
}

function getStorage(): AsyncLocalStorage<RequestContext> {
  return (globalThis.debitdeskRequestContext ??= new AsyncLocalStorage())
}

/** The context of the current work; undefined outside any, as during the start. */
export function getRequestContext(): RequestContext | undefined {
  return getStorage().getStore()
}

/** Runs a function in a context that everything it starts, even later, inherits. */
export function runWithContext<Result>(context: RequestContext, run: () => Result): Result {
  return getStorage().run(context, run)
}

/**
 * Runs the desk's own work, such as a worker's pass, under a new request id and trace without a session. Otherwise it
 * would inherit the context of the request that happened to start it.
 */
export function inBackground<Result>(run: () => Result): Result {
  return outsideSpans(() => runWithContext(startTrace(), run))
}

/**
 * Whether the current work belongs to a request that came through the desk's own server (http/desk-server.ts). Pages and
 * handlers refuse others, which bypassed that server's checks. Tests call them without a server.
 */
export function isGuarded(): boolean {
  return getRequestContext() !== undefined || process.env.NODE_ENV === 'test'
}

/** Runs a request's handler in the context the server created or, in tests without one, in a new one. */
export function withRequestContext<Result>(request: Request, run: (context: RequestContext) => Result): Result {
  const known = getRequestContext()
  if (known) return run(known)
  const peer = request.headers.get(peerHeader)
  const context: RequestContext = {
    ...startTrace(request.headers.get('traceparent')),
    ...(peer !== null && { peer }),
    language: readLanguage(request.headers.get('cookie'), request.headers.get('accept-language')),
  }
  return runWithContext(context, () => run(context))
}

/** The language of a request by its headers; the account's own is known once its session was read. */
function readLanguage(cookies: string | null, accepted: string | null): Language {
  return chooseLanguage(parseCookies(cookies, [languageCookie])[languageCookie], accepted)
}

/** Adds the request's session to the current context. */
export function rememberSession({ sessionId, apiToken, userId, email, scope }: RememberedSession): void {
  const context = getRequestContext()
  if (!context) return
  Object.assign(context, { sessionId, userId, email, connectionId: scope.connectionId, ...(apiToken && { apiToken }) })
}

/** Writes the rest of the request's texts in an account's own language, which wins over the browser's. */
export function rememberLanguage(language: Language | null): void {
  const context = getRequestContext()
  if (context && language) context.language = language
}

/** Creates a request's context, with an id of its own. Call after markPeer, which sets the peer. */
export function createRequestContext({ headers, socket }: IncomingMessage): RequestContext {
  const { traceparent, 'user-agent': agent, [peerHeader]: marked, cookie, 'accept-language': accepted } = headers
  const peer = typeof marked === 'string' ? marked : socket.remoteAddress
  const trace = startTrace(typeof traceparent === 'string' ? traceparent : null)
  const userAgent = agent?.slice(0, 500)
  return {
    ...trace,
    ...(peer !== undefined && { peer }),
    ...(userAgent && { userAgent }),
    language: readLanguage(cookie ?? null, accepted ?? null),
  }
}
