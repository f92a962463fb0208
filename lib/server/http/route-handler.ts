import type * as z from 'zod'
import type { EndpointId } from '@/lib/api-contract/addresses'
import { hasPermission, type Permission } from '@/lib/api-contract/permission'
import { pageUserHeader, backgroundRequestHeader } from '@/lib/domain/accounts'
import { recordActivityOncePer } from '../activity-log/append'
import { givesApiToken, readTokenSession } from '../api-tokens/authenticate'
import { readSessionFrom, type Session } from '../auth/session'
import { getSessionCookies } from '../auth/session-cookie'
import { parseCookies } from './cookies'
import { getRequestedMerchant } from '../auth/tenant-scope'
import { countProblem } from '../metrics/instruments'
import { AppError, type ErrorCode, toAppError, toInternalError } from '../runtime/app-error'
import { describeError, log } from '../runtime/log'
import { isGuarded, rememberSession, type RequestContext, withRequestContext } from '../runtime/request-context'
import { countSecurityEvent, logRepeatable, logSecurityEvent } from '../runtime/security-log'
import { setReplyHeaders } from '../runtime/trace'
import { type Parsed, parseParams, parsePart } from './parse-input'
import { createProblemResponse } from './problem-details'
import { readRequestBody, readRequestQuery } from './request-input'
import {
  declare,
  readRouteParams,
  type RouteContext,
  type RouteHandler,
  type RouteMethod,
  routeMethods,
} from './route-declaration'
import { assertNoOtherSite, assertOwnLink, assertSameOrigin } from './same-origin'

/** Returns the session of a request; null when signed out. */
export type SessionReader = (request: Request) => Promise<Session | null>

/** Uses the request's own cookie, so that a handler doesn't depend on Next for its session. */
const readRequestSession: SessionReader = (request) => {
  const { name } = getSessionCookies().sessionToken
  const cookie = parseCookies(request.headers.get('cookie'), [name])[name]
  return readSessionFrom(
    cookie,
    new Date(),
    getRequestedMerchant(request),
    request.headers.get(backgroundRequestHeader) === '1',
  )
}

/** `acceptsApiTokens`: whether scripts may ask with a token; otherwise only people do. */
type Access = { acceptsApiTokens?: boolean | undefined; readSession?: SessionReader | undefined }

/**
 * The session of a request's token, if it gives one, whatever cookie it has. A browser sends no token by itself, and none
 * to another origin without asking first, which this server refuses: so where such a request comes from says nothing.
 * Otherwise the session of the cookie, which needs a request of our own pages.
 */
async function readProvenSession(request: Request, { acceptsApiTokens, readSession }: Access): Promise<Session | null> {
  if (givesApiToken(request)) {
    if (!acceptsApiTokens) throw new AppError('token-not-accepted')
    return readTokenSession(request)
  }
  if (request.method === 'GET' || request.method === 'HEAD') assertNoOtherSite(request)
  else assertSameOrigin(request)
  return (readSession ?? readRequestSession)(request)
}

/**
 * Authorizes a request: it must come from the desk's own pages if it can change something, and not from another site in
 * any case; it needs a session, of the same user as the page that sends it, whose role has the permission. Throws AppError
 * 'cross-origin', 'signed-out', 'another-user', 'no-such-merchant' (one that isn't the user's, AZ-04), 'bad-request' (no
 * merchant named by a user with several) or 'forbidden'; for a token 'token-not-accepted' and what `readTokenSession`
 * throws. The session is added to the request's context even if refused.
 */
export async function authorize(request: Request, permission: Permission, access: Access = {}): Promise<Session> {
  const session = await readProvenSession(request, access)
  if (!session) throw new AppError('signed-out')
  rememberSession(session)
  const pageUser = request.headers.get(pageUserHeader)
  if (pageUser !== null && pageUser !== session.userId) throw new AppError('another-user')
  if (!hasPermission(session.role, permission)) throw new AppError('forbidden')
  return session
}

const denials: readonly ErrorCode[] = [
  'signed-out',
  'forbidden',
  'cross-origin',
  'step-up',
  'wrong-password',
  'token-invalid',
  'token-not-accepted',
]

/** Keeps the inbox's secret address out of the log. */
function hideSecret(path: string): string {
  return path.replace(/^\/hooks\/.+/u, '/hooks/…')
}

const MINUTE_MS = 60_000

/** The route without its ids, which clients can vary without limit. */
function getRoutePrefix(path: string): string {
  return path.split('/').slice(0, 4).join('/')
}

/**
 * Logs a denial, once a minute per user and route, as a line and an entry of the activity log. Denials without a session,
 * which anybody can cause, only make one line a minute together, and so does a step-up, which is no refusal.
 */
function logDenial(line: { code: string; method: string; path: string }, context: RequestContext): void {
  const { sessionId, email, connectionId } = context
  if (sessionId === undefined || email === undefined || connectionId === undefined) {
    logRepeatable(`${line.code} of strangers`, { event: 'denied', ...line }, context.peer)
    return
  }
  if (line.code === 'step-up') {
    logRepeatable(`${line.code} of ${context.userId}`, { event: 'denied', ...line }, context.peer)
    return
  }
  const isRecorded = recordActivityOncePer(
    `denied ${email} ${line.code} ${line.method} ${getRoutePrefix(line.path)}`,
    MINUTE_MS,
    {
      connectionId,
      actor: email,
      action: 'access.denied',
      objectKind: 'session',
      objectId: sessionId,
      outcome: 'refused',
      details: line,
    },
  )
  // Line and entry describe the same request.
  if (isRecorded) logSecurityEvent({ event: 'denied', ...line })
  else countSecurityEvent(`${line.code} of ${context.userId}`, context.peer)
}

/** Counts and logs a failure that is answered in another way than by its problem record, too. */
export function reportFailure(failure: AppError, request: Request, context: RequestContext): void {
  countProblem(failure)
  const { method, url } = request
  const line = { code: failure.code, method, path: hideSecret(new URL(url).pathname).slice(0, 500) }
  if (denials.includes(failure.code)) logDenial(line, context)
  // The client has left meanwhile, so nothing failed.
  const clientLeft = request.signal.aborted && failure.code === 'upstream-timeout'
  if (failure.status >= 500 && !clientLeft) {
    log.error({
      event: 'failed',
      ...line,
      upstream: failure.evidence.upstream?.status,
      error: describeError(failure.cause ?? failure),
    })
  }
}

/**
 * Runs a handler and turns every outcome into a reply with the standard headers: an AppError becomes a problem record,
 * any other error an 'internal' without details. Server errors are logged once, with the reply's request id and trace,
 * denials as by logDenial (BF-18, AZ-09).
 */
export function withErrorHandling(
  request: Request,
  handle: (context: RequestContext) => Promise<Response>,
): Promise<Response> {
  const isServed = isGuarded()
  return withRequestContext(request, async (context) => {
    try {
      if (!isServed) throw new AppError('internal')
      return setReplyHeaders(await handle(context), context)
    } catch (error) {
      const failure = toAppError(error, toInternalError)
      reportFailure(failure, request, context)
      return setReplyHeaders(createProblemResponse(failure, context.requestId), context)
    }
  })
}

function refuse(allow: string[]): RouteHandler {
  return declare({ kind: 'refused' }, (request) =>
    withErrorHandling(request, async () => {
      throw new AppError('method-not-allowed', { allow })
    }),
  )
}

/**
 * The exports of a route: the given methods, HEAD along with GET, and for all others a 405 with `Allow` and a problem
 * record, which Next by itself would not send.
 */
export function methods(handlers: Partial<Record<RouteMethod, RouteHandler>>): Record<RouteMethod, RouteHandler> {
  const supported = handlers.GET && !handlers.HEAD ? { ...handlers, HEAD: handlers.GET } : handlers
  const allow = routeMethods.filter((method) => supported[method])
  const refused = refuse([...allow])
  const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = supported
  return {
    GET: GET ?? refused,
    HEAD: HEAD ?? refused,
    POST: POST ?? refused,
    PUT: PUT ?? refused,
    PATCH: PATCH ?? refused,
    DELETE: DELETE ?? refused,
    OPTIONS: OPTIONS ?? refused,
  }
}

/** A handler that needs no session; `why` documents the reason. Its replies have the standard headers. */
export function openRoute(
  why: string,
  handle: (request: Request, context: RouteContext) => Promise<Response> | Response,
): RouteHandler {
  return declare({ kind: 'open', why }, (request, context) =>
    withErrorHandling(request, async () => handle(request, context)),
  )
}

type Definition<Query, Body, Name extends string> = {
  permission: Permission
  /** Whether scripts may ask with an API token (docs/automation.md). */
  acceptsApiTokens?: true
  /** Whether its GET has side effects, so that only our own pages may send one (see assertOwnLink). */
  writes?: boolean
  /** One schema per path parameter, named like the folders. */
  params?: Record<Name, z.ZodType<string>>
  /** A strict schema. Without one no query is accepted. */
  query?: Query
  /** Query names that may be repeated; their values are arrays. */
  repeatable?: readonly string[]
  /** A strict schema. Without one no body is accepted. */
  body?: Body
  /** For routes of the documented service. */
  endpointId?: EndpointId
}

export type DeskRequest<Query, Body, Name extends string> = {
  session: Session
  params: Record<Name, string>
  query: Parsed<Query>
  body: Parsed<Body>
  request: Request
  requestId: string
  traceparent: string
}

/**
 * A handler of the desk's own API. It is called only for requests from the desk's own pages (if they can change
 * something), with a session whose role has `permission`, and with parsed params, query and body; it returns a Response
 * or throws an AppError. The reply is private and carries the request id.
 */
export function deskRoute<
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Name extends string = never,
>(
  definition: Definition<Query, Body, Name>,
  handle: (input: DeskRequest<Query, Body, Name>) => Promise<Response> | Response,
): RouteHandler {
  const { permission, endpointId, acceptsApiTokens } = definition
  const access = { ...(endpointId && { endpointId }), ...(acceptsApiTokens && { acceptsApiTokens }) }
  return declare({ kind: 'permission', permission, ...access }, (request, context) =>
    withErrorHandling(request, async ({ requestId, traceparent }) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (definition.writes && isRead && !givesApiToken(request)) assertOwnLink(request)
      const session = await authorize(request, permission, { acceptsApiTokens })
      const params: Record<Name, string> = parseParams(definition.params ?? {}, await readRouteParams(context))
      const query = parsePart<Query>('query', definition.query, readRequestQuery(request, definition.repeatable))
      const body = parsePart<Body>('body', definition.body, await readRequestBody(request))
      return handle({ session, params, query, body, request, requestId, traceparent })
    }),
  )
}
