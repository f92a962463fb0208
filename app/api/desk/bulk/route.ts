import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { parseIdempotencyKey } from '@/lib/server/http/idempotency-key'
import { type BulkList, bulkRequest } from '@/lib/domain/cancellations/bulk-cancellation'
import { beginBulk } from '@/lib/server/bulk-cancellations/prepare-bulk'
import { listBulks, requireListPermission, viewBulk } from '@/lib/server/bulk-cancellations/queries'
import { requireStore } from '@/lib/server/store/store'

/** The latest bulk cancellations. */
const list = deskRoute({ acceptsApiTokens: true, permission: 'read' }, async ({ session }) =>
  Response.json({ bulks: await listBulks(await requireStore(), session.scope, session.userId) } satisfies BulkList),
)

/**
 * Creates the list of a bulk. Returns its BulkView, that of the earlier one for the same request under the same Idempotency-Key; nothing is sent before the list
 * is confirmed.
 */
const make = deskRoute(
  { acceptsApiTokens: true, permission: 'cancel', body: bulkRequest },
  async ({ session, body, request }) => {
    const key = parseIdempotencyKey(request) ?? undefined
    requireListPermission(session, body.kind === 'list' ? body.rows.length : Number.POSITIVE_INFINITY)
    return Response.json(await viewBulk(await requireStore(), await beginBulk(session, body, key)), { status: 202 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: make })
