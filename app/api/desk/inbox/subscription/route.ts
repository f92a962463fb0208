import * as z from 'zod'
import { deskRoute } from '@/lib/server/desk-route'
import { subscribeInbox } from '@/lib/server/inbox/subscribe-inbox'
import { methods } from '@/lib/server/methods'

/** Subscribes the desk's own callback address. Answers an InboxView. */
const subscribe = deskRoute({ permission: 'manage', body: z.strictObject({}) }, async ({ session }) =>
  Response.json(await subscribeInbox(session)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: subscribe })
