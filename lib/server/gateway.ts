import type { Endpoint } from '@/lib/contract/endpoint'
import { endpoints } from '@/lib/contract/endpoints'
import { admit, type SessionReader } from './admit'
import { answer } from './answer'
import { readIdempotencyKey } from './cancellations/read-idempotency-key'
import { methods } from './methods'
import { type PerformableId, perform } from './perform'
import { readRequestBody } from './request-body'
import { readRequestQuery } from './request-query'
import { requireRecentPassword } from './require-recent-password'
import { declare, type RouteContext, type RouteHandler, type RouteMethod, readRouteParams } from './route-handler'

/**
 * The values of the path's parameters under the names that the endpoint gives them: endpoints of one path
 * may name the same place differently (`customerId`, `customerIdOrHandle`), its folder has one name.
 */
async function readParams(context: RouteContext, endpoint: Endpoint): Promise<Record<string, unknown>> {
  const values = Object.values(await readRouteParams(context))
  return Object.fromEntries(Object.keys(endpoint.params).map((name, index) => [name, values[index]]))
}

/** What needs a recent password: whoever has these has a merchant of their own, or hears of every payment. */
const weighty: readonly PerformableId[] = ['createMerchant', 'subscribeWebhook']

/**
 * The handler of one endpoint. `readSession` is there for tests.
 *
 * Answers 200 with JSON: of a read the reply as the contract reads it, of a write `{ status, reply }` (see
 * Performed); every refusal is a problem record (see problemResponse).
 */
export function serviceHandler(id: PerformableId, readSession?: SessionReader): RouteHandler {
  const endpoint: Endpoint = endpoints[id]
  return declare({ kind: 'permission', permission: endpoint.permission, endpointId: id }, (request, context) =>
    answer(request, async () => {
      const session = await admit(request, endpoint.permission, readSession)
      if (weighty.includes(id)) await requireRecentPassword(session)
      const done = await perform(session, id, {
        params: await readParams(context, endpoint),
        query: readRequestQuery(request),
        body: await readRequestBody(request),
        // A read has none: what a browser puts there is not looked at.
        idempotencyKey: endpoint.method === 'GET' ? undefined : (readIdempotencyKey(request) ?? undefined),
        signal: request.signal,
        isPatient: true,
      })
      return Response.json(done)
    }),
  )
}

/**
 * The route of one documented path: `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
 * gateway('listCustomers', 'createCustomer')`. The methods follow from the contract, all others are 405.
 */
export function gateway(...ids: readonly PerformableId[]): Record<RouteMethod, RouteHandler> {
  return methods(Object.fromEntries(ids.map((id) => [endpoints[id].method, serviceHandler(id)])))
}
