import { handledRequest } from '@/lib/contract/cancellation'
import { uuidSegment } from '@/lib/contract/path-segment'
import { handleCancellation } from '@/lib/server/cancellations/handle-cancellation'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: deskRoute(
    { permission: 'cancel', params: { cancellationId: uuidSegment }, body: handledRequest },
    async ({ session, params, body: { note } }) => {
      const ledger = await openLedger(session.scope.connectionId)
      return Response.json(await handleCancellation(ledger, session, { id: params.cancellationId, note }))
    },
  ),
})
