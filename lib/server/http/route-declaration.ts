import type { EndpointId } from '@/lib/api-contract/addresses'
import type { Permission } from '@/lib/api-contract/permission'

export const routeMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type RouteMethod = (typeof routeMethods)[number]

/**
 * A handler's declared access: a permission, open to everybody with a reason, or refused to everybody. Tests fail for
 * handlers without a declaration (AZ-01).
 */
export type Declaration =
  | { kind: 'permission'; permission: Permission; endpointId?: EndpointId; acceptsApiTokens?: true }
  | { kind: 'open'; why: string }
  | { kind: 'refused' }

/** The second argument of Next's route handlers; without parameters the promise resolves to undefined. */
export type RouteContext = { params: Promise<Record<string, string | string[] | undefined> | undefined> }

/** A route's decoded path parameters, by folder name. */
export async function readRouteParams({
  params,
}: RouteContext): Promise<Record<string, string | string[] | undefined>> {
  return (await params) ?? {}
}

export type RouteHandler = ((request: Request, context: RouteContext) => Promise<Response>) & {
  readonly declaration: Declaration
}

/** Attaches a declaration to a handler. */
export function declare(
  declaration: Declaration,
  handle: (request: Request, context: RouteContext) => Promise<Response>,
): RouteHandler {
  return Object.assign(handle, { declaration })
}
