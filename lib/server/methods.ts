import { answer } from './answer'
import { Failure } from './failure'
import { declare, type RouteHandler, type RouteMethod, routeMethods } from './route-handler'

function refuse(allow: string[]): RouteHandler {
  return declare({ kind: 'refused' }, (request) =>
    answer(request, async () => {
      throw new Failure('method-not-allowed', { allow })
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
