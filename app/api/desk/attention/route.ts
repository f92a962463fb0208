import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { readAttention } from '@/lib/server/cancellations/read-attention'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: deskRoute({ permission: 'read' }, async ({ session }) => Response.json(await readAttention(session))),
})
