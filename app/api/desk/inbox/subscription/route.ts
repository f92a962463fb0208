import * as z from 'zod'
import { deskRoute } from '@/lib/server/desk-route'
import { subscribeInbox } from '@/lib/server/inbox/subscribe-inbox'
import { methods } from '@/lib/server/methods'
import { requireRecentPassword } from '@/lib/server/require-recent-password'

/** Subscribes the desk's own callback address. Answers an InboxView. */
const subscribe = deskRoute({ permission: 'manage', body: z.strictObject({}) }, async ({ session }) => {
  await requireRecentPassword(session)
  return Response.json(await subscribeInbox(session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: subscribe })
