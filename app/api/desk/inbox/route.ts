import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { viewInbox } from '@/lib/server/webhooks/queries'

/** What arrived at the desk's own callback address. Answers an InboxView. */
const read = deskRoute({ permission: 'read' }, async ({ session }) => Response.json(await viewInbox(session)))

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
