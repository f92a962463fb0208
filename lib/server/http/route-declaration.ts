import type { EndpointId } from '@/lib/api-contract/addresses'
import type { Permission } from '@/lib/api-contract/permission'

export const routeMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type RouteMethod = (typeof routeMethods)[number]

/**
 * What a handler declares about who may call it, readable from outside: a permission, that it is open to
 * everybody and why, or that it refuses everybody. A handler without a declaration fails the tests (AZ-01).
 */
export type Declaration =
  | { kind: 'permission'; permission: Permission; endpointId?: EndpointId }
  | { kind: 'open'; why: string }
  | { kind: 'refused' }

/** What Next hands a route handler beside the request; a route without parameters gets undefined for them. */
export type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> }

/** The values of a route's path parameters, decoded, by the names of its folders. */
export async function readRouteParams({
  params,
}: RouteContext): Promise<Record<string, string | string[] | undefined>> {
  return (await params) ?? {}
}

export type RouteHandler = ((request: Request, context: RouteContext) => Promise<Response>) & {
  readonly declaration: Declaration
}

/** Ties a declaration to a handler. */
export function declare(
  declaration: Declaration,
  handle: (request: Request, context: RouteContext) => Promise<Response>,
): RouteHandler {
  return Object.assign(handle, { declaration })
}
