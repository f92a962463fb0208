import { uuidSegment } from '@/lib/contract/path-segment'
import { getCancellation } from '@/lib/server/cancellations/find-cancellations'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: deskRoute({ permission: 'read', params: { cancellationId: uuidSegment } }, async ({ session, params }) =>
    Response.json(await getCancellation(session.scope, params.cancellationId)),
  ),
})
