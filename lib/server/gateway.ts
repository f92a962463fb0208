import type { Endpoint } from '@/lib/contract/endpoint'
import { endpoints } from '@/lib/contract/endpoints'
import type { Page } from '@/lib/contract/page'
import { admit, type SessionReader } from './admit'
import { answer } from './answer'
import { readIdempotencyKey } from './cancellations/read-idempotency-key'
import { keepPlain } from './keep-plain'
import { methods } from './methods'
import { type PerformableId, type PerformInput, perform } from './perform'
import { ReadAhead } from './read-ahead'
import { readRequestBody } from './request-body'
import { readRequestQuery } from './request-query'
import { requireRecentPassword } from './require-recent-password'
import type { Session } from './session'
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

const ahead = new ReadAhead<unknown>()

function isPage(reply: unknown): reply is Page<unknown> {
  return typeof reply === 'object' && reply !== null && 'continuation' in reply
}

function nextOf(reply: unknown): string | null {
  return isPage(reply) && reply.continuation.kind === 'more' ? reply.continuation.after : null
}

/** Performs what is asked; of a list that somebody walks through, the page after it is read meanwhile. */
function performAhead(session: Session, id: PerformableId, input: PerformInput): Promise<unknown> {
  const { after, ...ask } = input.query ?? {}
  if (endpoints[id].method !== 'GET' || typeof after !== 'string') return perform(session, id, input)
  const walk = [session.sessionId, session.scope.connectionId, id, JSON.stringify(ask)].join(' ')
  const read = (from: string, isAhead: boolean) =>
    perform(session, id, {
      ...input,
      query: { ...ask, after: from },
      ...(isAhead && { isPatient: false, signal: undefined }),
    })
  return ahead.read(walk, after, read, nextOf)
}

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
      const done = await performAhead(session, id, {
        params: await readParams(context, endpoint),
        query: readRequestQuery(request),
        body: await readRequestBody(request),
        // A read has none: what a browser puts there is not looked at.
        idempotencyKey: endpoint.method === 'GET' ? undefined : (readIdempotencyKey(request) ?? undefined),
        signal: request.signal,
        isPatient: true,
      })
      return keepPlain(Response.json(done))
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
