import type { Endpoint } from '@/lib/api-contract/endpoint'
import { endpoints } from '@/lib/api-contract/endpoints'
import { authorize, methods, type SessionReader, withErrorHandling } from '../http/route-handler'
import { parseIdempotencyKey } from '../http/idempotency-key'
import { type CallableEndpointId, callEndpoint } from './call-endpoint'
import { readRequestBody, readRequestQuery } from '../http/request-input'
import { requireRecentPassword } from '../auth/step-up'
import {
  declare,
  type RouteContext,
  type RouteHandler,
  type RouteMethod,
  readRouteParams,
} from '../http/route-declaration'

/**
 * The values of the path's parameters under the names that the endpoint gives them: endpoints of one path
 * may name the same place differently (`customerId`, `customerIdOrHandle`), its folder has one name.
 */
async function readParams(context: RouteContext, endpoint: Endpoint): Promise<Record<string, unknown>> {
  const values = Object.values(await readRouteParams(context))
  return Object.fromEntries(Object.keys(endpoint.params).map((name, index) => [name, values[index]]))
}

/** What needs a recent password: whoever has these has a merchant of their own, or hears of every payment. */
const weighty: readonly CallableEndpointId[] = ['createMerchant', 'subscribeWebhook']

/**
 * The handler of one endpoint. `readSession` is there for tests.
 *
 * Answers 200 with JSON: of a read the reply as the contract reads it, of a write `{ status, reply }` (see
 * Performed); every refusal is a problem record (see createProblemResponse).
 */
export function serviceHandler(id: CallableEndpointId, readSession?: SessionReader): RouteHandler {
  const endpoint: Endpoint = endpoints[id]
  return declare({ kind: 'permission', permission: endpoint.permission, endpointId: id }, (request, context) =>
    withErrorHandling(request, async () => {
      const session = await authorize(request, endpoint.permission, readSession)
      if (weighty.includes(id)) await requireRecentPassword(session)
      const done = await callEndpoint(session, id, {
        params: await readParams(context, endpoint),
        query: readRequestQuery(request),
        body: await readRequestBody(request),
        // A read has none: what a browser puts there is not looked at.
        idempotencyKey: endpoint.method === 'GET' ? undefined : (parseIdempotencyKey(request) ?? undefined),
        signal: request.signal,
        retry: true,
      })
      return Response.json(done)
    }),
  )
}

/**
 * The route of one documented path: `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
 * gateway('listCustomers', 'createCustomer')`. The methods follow from the contract, all others are 405.
 */
export function gateway(...ids: readonly CallableEndpointId[]): Record<RouteMethod, RouteHandler> {
  return methods(Object.fromEntries(ids.map((id) => [endpoints[id].method, serviceHandler(id)])))
}
