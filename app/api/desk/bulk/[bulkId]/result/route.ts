import { uuidSegment } from '@/lib/contract/path-segment'
import { findBulk } from '@/lib/server/bulk/bulk-row'
import { writeBulkResult } from '@/lib/server/bulk/write-result'
import { getConnection } from '@/lib/server/connection'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'
import { streamText } from '@/lib/server/stream-text'

/** What became of a bulk, as a CSV file that is written while it is read. */
const read = deskRoute(
  { permission: 'read', params: { bulkId: uuidSegment } },
  async ({ session, params: { bulkId } }) => {
    const db = await requireStore()
    const bulk = await findBulk(db, session.scope, bulkId)
    const { amounts } = getConnection(session.scope.connectionId).rules
    return new Response(streamText(writeBulkResult(db, bulk, amounts)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="bulk-${bulk.id.slice(0, 8)}-result.csv"`,
      },
    })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
