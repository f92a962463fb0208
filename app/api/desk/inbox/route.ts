import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { viewInbox } from '@/lib/server/webhooks/queries'

/** Deliveries to our own callback URL: the newest, or all that are stored. Returns an InboxView. */
const read = deskRoute(
  { permission: 'read', query: z.strictObject({ all: z.literal('1').optional() }) },
  async ({ session, query: { all } }) => Response.json(await viewInbox(session, { all: all !== undefined })),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
