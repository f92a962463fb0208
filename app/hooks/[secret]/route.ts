import { methods, openRoute } from '@/lib/server/http/route-handler'
import { AppError } from '@/lib/server/runtime/app-error'
import { findInboxBySecret } from '@/lib/server/webhooks/inbox'
import { receiveMessage } from '@/lib/server/webhooks/receive-message'
import { type RouteContext, readRouteParams } from '@/lib/server/http/route-declaration'
import { requireStore } from '@/lib/server/store/store'

/**
 * Receives a webhook delivery. Replies 403 if its signature is invalid, so that a wrong signing secret here loses
 * nothing: the API redelivers once it is corrected; 503 if it cannot be decrypted, for the same reason.
 */
async function receive(request: Request, context: RouteContext): Promise<Response> {
  const { secret } = await readRouteParams(context)
  const db = await requireStore()
  const inbox = typeof secret === 'string' ? await findInboxBySecret(db, secret) : null
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
