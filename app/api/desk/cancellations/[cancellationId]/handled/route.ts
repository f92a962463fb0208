import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { handledRequest } from '@/lib/domain/cancellations/cancellation'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { handleCancellation } from '@/lib/server/cancellations/manual-review'
import { openLedger } from '@/lib/server/cancellations/open-ledger'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: deskRoute(
    { permission: 'cancel', params: { cancellationId: uuidSegment }, body: handledRequest },
    async ({ session, params, body: { note } }) => {
      const ledger = await openLedger(session.scope.connectionId)
      return Response.json(await handleCancellation(ledger, session, { id: params.cancellationId, note }))
    },
  ),
})
