import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { subscribeInbox } from '@/lib/server/webhooks/commands'
import { requireRecentPassword } from '@/lib/server/auth/step-up'

/** Subscribes our own callback URL. Returns an InboxView. */
const subscribe = deskRoute({ permission: 'manage', body: z.strictObject({}) }, async ({ session }) => {
  await requireRecentPassword(session)
  return Response.json(await subscribeInbox(session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: subscribe })
