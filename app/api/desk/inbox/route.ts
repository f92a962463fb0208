import { deskRoute } from '@/lib/server/desk-route'
import { viewInbox } from '@/lib/server/inbox/view-inbox'
import { methods } from '@/lib/server/methods'

/** What arrived at the desk's own callback address. Answers an InboxView. */
const read = deskRoute({ permission: 'read' }, async ({ session }) => Response.json(await viewInbox(session)))

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
