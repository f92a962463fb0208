import { answer } from './answer'
import { declare, type RouteContext, type RouteHandler } from './route-handler'

/** A handler that needs no session; `why` says what stands in its place. Its replies are sealed like all others. */
export function openRoute(
  why: string,
  handle: (request: Request, context: RouteContext) => Promise<Response> | Response,
): RouteHandler {
  return declare({ kind: 'open', why }, (request, context) => answer(request, async () => handle(request, context)))
}
