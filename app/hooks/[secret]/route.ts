import { AppError } from '@/lib/server/runtime/app-error'
import { findInboxBySecret } from '@/lib/server/webhooks/inbox'
import { receiveMessage } from '@/lib/server/webhooks/receive-message'
import { methods, openRoute } from '@/lib/server/http/route-handler'
import { type RouteContext, readRouteParams } from '@/lib/server/http/route-declaration'
import { requireStore } from '@/lib/server/store/store'

/**
 * Takes a delivery of the service. 403 where its signature does not hold: who has a wrong signing secret here gets what
 * the service sends again once it is right; 503 where it cannot be opened, for the same reason.
 */
async function receive(request: Request, context: RouteContext): Promise<Response> {
  const { secret } = await readRouteParams(context)
  const db = await requireStore()
  const inbox = typeof secret === 'string' ? await findInboxBySecret(db, secret.slice(0, 100)) : null
  if (!inbox) throw new AppError('not-found')
  await receiveMessage(db, inbox, request)
  return new Response(null, { status: 204 })
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: openRoute(
    'The service has no session; the secret in the address is its own proof, and nothing is believed.',
    receive,
  ),
})
