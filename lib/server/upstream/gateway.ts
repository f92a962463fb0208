import { authorize, methods, type SessionReader, withErrorHandling } from '../http/route-handler'
import type { Endpoint } from '@/lib/api-contract/endpoint'
import { endpoints } from '@/lib/api-contract/endpoints'
import { parseIdempotencyKey } from '../http/idempotency-key'
import { type CallableEndpointId, callEndpoint } from './call-endpoint'
import { readRequestBody, readRequestQuery } from '../http/request-input'
import { requireRecentPassword } from '../auth/step-up'
import { stepUpEndpoints } from './step-up-endpoints'
import {
  declare,
  type RouteContext,
  type RouteHandler,
  type RouteMethod,
  readRouteParams,
} from '../http/route-declaration'

/**
 * The path parameters under the endpoint's names: endpoints with the same path may name a parameter differently
 * (`customerId`, `customerIdOrHandle`), while its folder has one name.
 */
async function readParams(context: RouteContext, endpoint: Endpoint): Promise<Record<string, unknown>> {
  const values = Object.values(await readRouteParams(context))
  return Object.fromEntries(Object.keys(endpoint.params).map((name, index) => [name, values[index]]))
}

/**
 * The handler of one endpoint; `readSession` is replaced in tests. Answers 200 with JSON, the EndpointReply, or a problem
 * record (see createProblemResponse).
 */
export function serviceHandler(id: CallableEndpointId, readSession?: SessionReader): RouteHandler {
  const endpoint: Endpoint = endpoints[id]
  const { permission } = endpoint
  const asksAgain = stepUpEndpoints.includes(id)
  const access = { permission, endpointId: id, ...(!asksAgain && { acceptsApiTokens: true as const }) }
  return declare({ kind: 'permission', ...access }, (request, context) =>
    withErrorHandling(request, async () => {
      const session = await authorize(request, permission, { acceptsApiTokens: !asksAgain, readSession })
      if (asksAgain) await requireRecentPassword(session)
      const reply = await callEndpoint(session, id, {
        params: await readParams(context, endpoint),
        query: readRequestQuery(request),
        body: await readRequestBody(request),
        // Reads have none, whatever the browser sends.
        idempotencyKey: endpoint.method === 'GET' ? undefined : (parseIdempotencyKey(request) ?? undefined),
        signal: request.signal,
        retry: true,
      })
      return Response.json(reply)
    }),
  )
}

/**
 * The exports of the route of a documented path: `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
 * gateway('listCustomers', 'createCustomer')`. The methods follow from the contract; others are 405.
 */
export function gateway(...ids: readonly CallableEndpointId[]): Record<RouteMethod, RouteHandler> {
  return methods(Object.fromEntries(ids.map((id) => [endpoints[id].method, serviceHandler(id)])))
}
