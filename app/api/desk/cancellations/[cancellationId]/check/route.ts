import { uuidSegment } from '@/lib/contract/path-segment'
import { checkCancellation } from '@/lib/server/cancellations/check-cancellation'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: deskRoute({ permission: 'cancel', params: { cancellationId: uuidSegment } }, async ({ session, params }) => {
    const ledger = await openLedger(session.scope.connectionId)
    return Response.json(await checkCancellation(ledger, session, params.cancellationId))
  }),
})
