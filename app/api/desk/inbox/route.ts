import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { viewInbox } from '@/lib/server/webhooks/queries'

/** Deliveries to our own callback URL. Returns an InboxView. */
const read = deskRoute({ permission: 'read' }, async ({ session }) => Response.json(await viewInbox(session)))

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
