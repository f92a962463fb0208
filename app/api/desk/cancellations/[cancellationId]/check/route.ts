import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { checkCancellation } from '@/lib/server/cancellations/manual-review'
import { openLedger } from '@/lib/server/cancellations/open-ledger'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: deskRoute(
    { acceptsApiTokens: true, permission: 'cancel', params: { cancellationId: uuidSegment } },
    async ({ session, params }) => {
      const ledger = await openLedger(session.scope.connectionId)
      return Response.json(await checkCancellation(ledger, session, params.cancellationId))
    },
  ),
})
