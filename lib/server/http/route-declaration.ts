import type { EndpointId } from '@/lib/api-contract/addresses'
import type { Permission } from '@/lib/api-contract/permission'
import { getRequestContext } from '../runtime/request-context'

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

/** The part of a path that a parameter is written as: one segment or several; null for none. */
function nameSegments(segments: readonly string[], name: string, value: string | string[]): string[] | null {
  if (typeof value !== 'string') return [...segments.slice(0, segments.length - value.length), `[...${name}]`]
  const at = segments.findLastIndex((segment) => segment === value || segment === encodeURIComponent(value))
  return at === -1 ? null : segments.with(at, `[${name}]`)
}

/**
 * The template of a request's route, such as `/api/desk/bulk/[bulkId]`; undefined if a parameter is not found in the
 * path. What the client chose is never part of it.
 */
async function buildTemplate(request: Request, context: RouteContext): Promise<string | undefined> {
  let segments: string[] | null = new URL(request.url).pathname.split('/')
  for (const [name, value] of Object.entries(await readRouteParams(context)))
    if (segments && value !== undefined) segments = nameSegments(segments, name, value)
  return segments?.join('/')
}

/** Attaches a declaration to a handler, and names the route in the request's context. */
export function declare(
  declaration: Declaration,
  handle: (request: Request, context: RouteContext) => Promise<Response>,
): RouteHandler {
  const named = async (request: Request, context: RouteContext): Promise<Response> => {
    const served = getRequestContext()
    if (served) served.route ??= await buildTemplate(request, context)
    return handle(request, context)
  }
  return Object.assign(named, { declaration })
}
