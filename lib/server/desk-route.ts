import type * as z from 'zod'
import type { EndpointId } from '@/lib/contract/addresses'
import type { Permission } from '@/lib/contract/permission'
import { admit } from './admit'
import { answer } from './answer'
import { type Parsed, parseParams, parsePart } from './parse-input'
import { readRequestBody } from './request-body'
import { readRequestQuery } from './request-query'
import { declare, type RouteHandler, readRouteParams } from './route-handler'
import { assertOwnLink } from './same-origin'
import type { Session } from './session'

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
    answer(request, async ({ requestId, traceparent }) => {
      if (definition.writes && (request.method === 'GET' || request.method === 'HEAD')) assertOwnLink(request)
      const session = await admit(request, permission)
      const params: Record<Name, string> = parseParams(definition.params ?? {}, await readRouteParams(context))
      const query = parsePart<Query>('query', definition.query, readRequestQuery(request, definition.repeatable))
      const body = parsePart<Body>('body', definition.body, await readRequestBody(request))
      return handle({ session, params, query, body, request, requestId, traceparent })
    }),
  )
}
