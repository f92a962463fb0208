import type * as z from 'zod'
import type { EndpointId } from '@/lib/api-contract/addresses'
import { hasPermission, type Permission } from '@/lib/api-contract/permission'
import { pageUserHeader, backgroundRequestHeader } from '@/lib/domain/accounts'
import { recordActivityOncePer } from '../activity-log/append'
import { readSessionFrom, type Session } from '../auth/session'
import { getSessionCookies, parseCookies } from '../auth/session-cookie'
import { getRequestedMerchant } from '../auth/tenant-scope'
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

/** Finds the session of a request; null when nobody is signed in. */
export type SessionReader = (request: Request) => Promise<Session | null>

/** By the session cookie of the request itself: a handler then needs nothing of Next's to know who asks. */
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

/**
 * Lets a request in: proof that it came from the desk if it could change something, and no sign of another site
 * if it only reads, then a session, then that it is the user whose page asks, then the permission of its role. Throws AppError 'cross-origin',
 * 'signed-out', 'another-user', 'not-found' (a merchant that is not the user's, AZ-04), 'bad-request' (none is
 * named, of several) or 'forbidden'; the request's facts then know who was refused.
 */
export async function authorize(
  request: Request,
  permission: Permission,
  read: SessionReader = readRequestSession,
): Promise<Session> {
  if (request.method === 'GET' || request.method === 'HEAD') assertNoOtherSite(request)
  else assertSameOrigin(request)
  const session = await read(request)
  if (!session) throw new AppError('signed-out')
  rememberSession(session)
  const pageUser = request.headers.get(pageUserHeader)
  if (pageUser !== null && pageUser !== session.userId) throw new AppError('another-user')
  if (!hasPermission(session.role, permission)) throw new AppError('forbidden')
  return session
}

const denials: readonly ErrorCode[] = ['signed-out', 'forbidden', 'cross-origin', 'step-up', 'wrong-password']

/** The inbox's address is its secret: it stays out of the log. */
function hideSecret(path: string): string {
  return path.replace(/^\/hooks\/.+/u, '/hooks/…')
}

const minute = 60_000

/** Of which thing: without the ids in it, of which anybody could make up any number. */
function nameRoute(path: string): string {
  return path.split('/').slice(0, 4).join('/')
}

/**
 * Once a minute of each person and thing, as a line of the log and a row of the activity log. Those without a session
 * stand in the log of lines alone, once a minute for all of them, for it takes no proof to send one; being asked for the
 * password again is no refusal.
 */
function noteDenial(line: { code: string; method: string; path: string }, facts: RequestContext): void {
  const { sessionId, email, connectionId } = facts
  if (sessionId === undefined || email === undefined || connectionId === undefined) {
    logRepeatable(`${line.code} of strangers`, { event: 'denied', ...line }, facts.peer)
    return
  }
  if (line.code === 'step-up') {
    logRepeatable(`${line.code} of ${facts.userId}`, { event: 'denied', ...line }, facts.peer)
    return
  }
  const isNoted = recordActivityOncePer(`denied ${email} ${line.code} ${line.method} ${nameRoute(line.path)}`, minute, {
    connectionId,
    actor: email,
    action: 'access.denied',
    objectKind: 'session',
    objectId: sessionId,
    outcome: 'refused',
    details: line,
  })
  // The line and the row name the same request.
  if (isNoted) logSecurityEvent({ event: 'denied', ...line })
  else countSecurityEvent(`${line.code} of ${facts.userId}`, facts.peer)
}

function logFailure(failure: AppError, request: Request, facts: RequestContext): void {
  const { method, url } = request
  const line = { code: failure.code, method, path: hideSecret(new URL(url).pathname).slice(0, 500) }
  if (denials.includes(failure.code)) noteDenial(line, facts)
  // Whoever asked has left the page meanwhile: nothing failed.
  const isLeft = request.signal.aborted && failure.code === 'upstream-timeout'
  if (failure.status >= 500 && !isLeft) {
    log.error({
      event: 'failed',
      ...line,
      upstream: failure.evidence.upstream?.status,
      error: describeError(failure.cause ?? failure),
    })
  }
}

/**
 * Runs a handler and sees to it that whatever happens becomes a sealed reply: a Failure its problem record,
 * anything else an 'internal' without details. Each failure of ours is logged once, with the
 * request id that the reply names and the trace it belongs to; denials as noteDenial says (BF-18, AZ-09).
 */
export function withErrorHandling(
  request: Request,
  handle: (facts: RequestContext) => Promise<Response>,
): Promise<Response> {
  const guarded = isGuarded()
  return withRequestContext(request, async (facts) => {
    try {
      if (!guarded) throw new AppError('internal')
      return setReplyHeaders(await handle(facts), facts)
    } catch (error) {
      const failure = toAppError(error, toInternalError)
      logFailure(failure, request, facts)
      return setReplyHeaders(createProblemResponse(failure, facts.requestId), facts)
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
 * Every method of a route: those given, HEAD with GET, and for all others 405 with `Allow` and a problem
 * record, which Next by itself would not write.
 */
export function methods(handlers: Partial<Record<RouteMethod, RouteHandler>>): Record<RouteMethod, RouteHandler> {
  const given = handlers.GET && !handlers.HEAD ? { ...handlers, HEAD: handlers.GET } : handlers
  const allow = routeMethods.filter((method) => given[method])
  const refused = refuse([...allow])
  const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = given
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

/** A handler that needs no session; `why` says what stands in its place. Its replies are sealed like all others. */
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
  /** Whether a GET of it leaves something behind, so that only our own pages may send one (see assertOwnLink). */
  writes?: boolean
  /** One schema per path parameter, named as the folders are. */
  params?: Record<Name, z.ZodType<string>>
  /** Strict. Absent means that no query is taken. */
  query?: Query
  /** Names of the query that may come more than once: their values are lists. */
  repeatable?: readonly string[]
  /** Strict. Absent means that no body is taken. */
  body?: Body
  /** Where the route is one of the documented service's. */
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
 * A handler of the desk's own API. It is called only for a request that came from the desk's own pages (if
 * it could change something), with a session whose role carries `permission`, and with params, query and
 * body parsed; it answers with a Response or throws a Failure. The reply is sealed as private and carries
 * the request id.
 */
export function deskRoute<
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Name extends string = never,
>(
  definition: Definition<Query, Body, Name>,
  handle: (asked: DeskRequest<Query, Body, Name>) => Promise<Response> | Response,
): RouteHandler {
  const { permission, endpointId } = definition
  return declare({ kind: 'permission', permission, ...(endpointId && { endpointId }) }, (request, context) =>
    withErrorHandling(request, async ({ requestId, traceparent }) => {
      if (definition.writes && (request.method === 'GET' || request.method === 'HEAD')) assertOwnLink(request)
      const session = await authorize(request, permission)
      const params: Record<Name, string> = parseParams(definition.params ?? {}, await readRouteParams(context))
      const query = parsePart<Query>('query', definition.query, readRequestQuery(request, definition.repeatable))
      const body = parsePart<Body>('body', definition.body, await readRequestBody(request))
      return handle({ session, params, query, body, request, requestId, traceparent })
    }),
  )
}
