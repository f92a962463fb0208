import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { countClosing } from '@/lib/server/overview/closing-count'

/** How many payments close today, as a ClosingCount. */
const read = deskRoute({ permission: 'read' }, async ({ session }) => Response.json(await countClosing(session)))

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
