import * as z from 'zod'
import { deskRoute } from '@/lib/server/desk-route'
import { renewInbox } from '@/lib/server/inbox/renew-inbox'
import { methods } from '@/lib/server/methods'
import { requireRecentPassword } from '@/lib/server/require-recent-password'

/** Gives the inbox another address. Answers an InboxView. */
const renew = deskRoute({ permission: 'manage', body: z.strictObject({}) }, async ({ session }) => {
  await requireRecentPassword(session)
  return Response.json(await renewInbox(session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: renew })
