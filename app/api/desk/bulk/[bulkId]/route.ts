import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { bulkChange } from '@/lib/domain/cancellations/bulk-cancellation'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { findBulk, requireListPermission, viewBulk } from '@/lib/server/bulk-cancellations/queries'
import { discardDraft } from '@/lib/server/bulk-cancellations/change-draft'
import { changeBulk } from '@/lib/server/bulk-cancellations/change-bulk'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { requireStore } from '@/lib/server/store/store'

const params = { bulkId: uuidSegment }

/** The current state of a bulk. Returns BulkView. */
const read = deskRoute(
  { acceptsApiTokens: true, permission: 'read', params },
  async ({ session, params: { bulkId } }) => {
    const db = await requireStore()
    return Response.json(await viewBulk(db, await findBulk(db, session.scope, bulkId)))
  },
)

/** Pauses, resumes or stops a bulk. Returns BulkView. */
const change = deskRoute(
  { acceptsApiTokens: true, permission: 'cancel', params, body: bulkChange },
  async ({ session, params, body }) => {
    const ledger = await openLedger(session.scope.connectionId)
    const { id, count } = await findBulk(ledger.db, session.scope, params.bulkId)
    requireListPermission(session, count)
    const bulk = await changeBulk(ledger, id, { action: body.action, actor: session.email })
    return Response.json(await viewBulk(ledger.db, bulk))
  },
)

/** Discards a list of the caller's that was never started. */
const discard = deskRoute(
  { acceptsApiTokens: true, permission: 'cancel', params },
  async ({ session, params: { bulkId } }) => {
    const { connectionId } = session.scope
    await discardDraft(await requireStore(), { connectionId, userId: session.userId, bulkId })
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: change, DELETE: discard })
