import { bulkChange } from '@/lib/contract/bulk'
import { uuidSegment } from '@/lib/contract/path-segment'
import { findBulk } from '@/lib/server/bulk/bulk-row'
import { changeBulk } from '@/lib/server/bulk/change-bulk'
import { viewBulk } from '@/lib/server/bulk/view-bulk'
import { openLedger } from '@/lib/server/cancellations/open-ledger'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'

const params = { bulkId: uuidSegment }

/** A bulk as it stands. Answers BulkView. */
const read = deskRoute({ permission: 'read', params }, async ({ session, params: { bulkId } }) => {
  const db = await requireStore()
  return Response.json(await viewBulk(db, await findBulk(db, session.scope, bulkId)))
})

/** Pauses, resumes or stops a bulk. Answers BulkView. */
const change = deskRoute({ permission: 'cancel', params, body: bulkChange }, async ({ session, params, body }) => {
  const ledger = await openLedger(session.scope.connectionId)
  const { id } = await findBulk(ledger.db, session.scope, params.bulkId)
  const bulk = await changeBulk(ledger, id, { action: body.action, actor: session.email })
  return Response.json(await viewBulk(ledger.db, bulk))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: change })
