import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { renewInbox } from '@/lib/server/webhooks/commands'
import { requireRecentPassword } from '@/lib/server/auth/step-up'

/** Assigns the inbox a new address. Returns an InboxView. */
const renewAddress = deskRoute({ permission: 'manage', body: z.strictObject({}) }, async ({ session }) => {
  await requireRecentPassword(session)
  return Response.json(await renewInbox(session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: renewAddress })
