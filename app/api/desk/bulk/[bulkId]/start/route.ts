import { bulkConfirmation } from '@/lib/contract/bulk'
import { uuidSegment } from '@/lib/contract/path-segment'
import { startBulk } from '@/lib/server/bulk/start-bulk'
import { viewBulk } from '@/lib/server/bulk/view-bulk'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireRecentPassword } from '@/lib/server/require-recent-password'

/** Freezes a list and starts its bulk, if the list is what was confirmed. Answers BulkView. */
const start = deskRoute(
  { permission: 'cancel', params: { bulkId: uuidSegment }, body: bulkConfirmation },
  async ({ session, params: { bulkId }, body }) => {
    await requireRecentPassword(session)
    const ledger = await openLedger(session.scope.connectionId)
    const bulk = await startBulk(ledger, session, { bulkId, given: body })
    return Response.json(await viewBulk(ledger.db, bulk), { status: 202 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: start })
