import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { bulkConfirmation } from '@/lib/domain/cancellations/bulk-cancellation'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { startBulk } from '@/lib/server/bulk-cancellations/start-bulk'
import { requireListPermission, viewBulk } from '@/lib/server/bulk-cancellations/queries'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { requireRecentPassword } from '@/lib/server/auth/step-up'

/** Freezes a list and starts its bulk, if the list is the confirmed one. Returns BulkView. */
const start = deskRoute(
  { acceptsApiTokens: true, permission: 'cancel', params: { bulkId: uuidSegment }, body: bulkConfirmation },
  async ({ session, params: { bulkId }, body }) => {
    requireListPermission(session, body.count)
    // A token's person proved themselves when making it.
    if (!session.apiToken) await requireRecentPassword(session)
    const ledger = await openLedger(session.scope.connectionId)
    const bulk = await startBulk(ledger, session, { bulkId, given: body })
    return Response.json(await viewBulk(ledger.db, bulk), { status: 202 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: start })
