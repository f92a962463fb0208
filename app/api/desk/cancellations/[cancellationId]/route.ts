import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { getCancellation } from '@/lib/server/cancellations/queries'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: deskRoute(
    { acceptsApiTokens: true, permission: 'read', params: { cancellationId: uuidSegment } },
    async ({ session, params }) => Response.json(await getCancellation(session.scope, params.cancellationId)),
  ),
})
