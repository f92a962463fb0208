import { Failure } from '@/lib/server/failure'
import { findInboxBySecret } from '@/lib/server/inbox/find-inbox'
import { receiveMessage } from '@/lib/server/inbox/receive-message'
import { limitPerMinute } from '@/lib/server/limit-per-minute'
import { methods } from '@/lib/server/methods'
import { openRoute } from '@/lib/server/open-route'
import { type RouteContext, readRouteParams } from '@/lib/server/route-handler'
import { requireStore } from '@/lib/server/store/require-store'

/** How many deliveries a connection may get in a minute; a sender tries the rest again. */
const mostDeliveries = 240

/** Takes a delivery of the service. 204, whatever the signature: the verdict is for people. */
async function receive(request: Request, context: RouteContext): Promise<Response> {
  const { secret } = await readRouteParams(context)
  const db = await requireStore()
  const inbox = typeof secret === 'string' ? await findInboxBySecret(db, secret.slice(0, 100)) : null
  if (!inbox) throw new Failure('not-found')
  limitPerMinute(`deliveries to ${inbox.connectionId}`, mostDeliveries)
  await receiveMessage(db, inbox, request)
  return new Response(null, { status: 204 })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: openRoute(
    'The service has no session; the secret in the address is its own proof, and nothing is believed.',
    receive,
  ),
})
