import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { bulkRowChange } from '@/lib/domain/cancellations/bulk-cancellation'
import { changeDraftRow } from '@/lib/server/bulk-cancellations/change-draft'
import { findBulk, viewBulk } from '@/lib/server/bulk-cancellations/queries'
import { readBulkRows } from '@/lib/server/bulk-cancellations/result-rows'
import { requireOpenStore } from '@/lib/server/store/store'

const query = z.strictObject({
  from: z
    .string()
    .regex(/^\d{1,6}$/u)
    .optional(),
  since: z.iso.datetime().optional(),
})

/** Rows of a bulk, or those changed since a timestamp. Returns BulkRows. */
const read = deskRoute(
  { acceptsApiTokens: true, permission: 'read', params: { bulkId: uuidSegment }, query },
  async ({ session, params: { bulkId }, query: { from, since } }) => {
    const store = await requireOpenStore()
    const bulk = await findBulk(store.db, session.scope, bulkId)
    const asked = { from: Number(from ?? 0), since: since === undefined ? null : new Date(since) }
    return Response.json(await readBulkRows(store, bulk, asked))
  },
)

/** Takes a row out of the caller's list, or back in, before it is started. Returns BulkView. */
const change = deskRoute(
  { acceptsApiTokens: true, permission: 'cancel', params: { bulkId: uuidSegment }, body: bulkRowChange },
  async ({ session, params: { bulkId }, body }) => {
    const store = await requireOpenStore()
    const { connectionId } = session.scope
    const bulk = await changeDraftRow(store, { connectionId, userId: session.userId, bulkId, ...body })
    return Response.json(await viewBulk(store.db, bulk))
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, PATCH: change })
