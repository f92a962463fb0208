import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { checkCancellation } from '@/lib/server/cancellations/manual-review'
import { openLedger, openOwnLedger } from '@/lib/server/cancellations/open-ledger'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: deskRoute(
    { acceptsApiTokens: true, permission: 'cancel', params: { cancellationId: uuidSegment } },
    async ({ session, params }) => {
      const { connectionId } = session.scope
      const openOwn = (userId: string) => openOwnLedger(connectionId, userId)
      const ledger = await openLedger(connectionId)
      return Response.json(await checkCancellation(ledger, session, params.cancellationId, openOwn))
    },
  ),
})
