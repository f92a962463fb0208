import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { hasPermission } from '@/lib/api-contract/permission'
import { approvalDecision } from '@/lib/domain/cancellations/approval'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { decideOnBulk } from '@/lib/server/bulk-cancellations/approve-bulk'
import { viewBulk } from '@/lib/server/bulk-cancellations/queries'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { AppError } from '@/lib/server/runtime/app-error'

/** Approves, declines or withdraws a bulk that awaits a second person. Returns BulkView. */
const decide = deskRoute(
  { permission: 'cancel', params: { bulkId: uuidSegment }, body: approvalDecision },
  async ({ session, params: { bulkId }, body }) => {
    if (body.decision !== 'withdraw' && !hasPermission(session.role, 'bulk')) throw new AppError('forbidden')
    if (body.decision === 'approve') await requireRecentPassword(session)
    const ledger = await openLedger(session.scope.connectionId)
    return Response.json(await viewBulk(ledger.db, await decideOnBulk(ledger, session, bulkId, body)))
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: decide })
