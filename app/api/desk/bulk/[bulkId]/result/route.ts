import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { csvFlavourOf } from '@/lib/domain/csv'
import { localeOf } from '@/lib/server/http/reader-locale'
import { findBulk } from '@/lib/server/bulk-cancellations/queries'
import { writeBulkResult } from '@/lib/server/bulk-cancellations/result-rows'
import { getConnection } from '@/lib/server/upstream/connection'
import { requireStore } from '@/lib/server/store/store'
import { streamText } from '@/lib/server/http/stream-text'

/** The outcomes of a bulk as a streamed CSV file, as spreadsheets of the reader's locale open it. */
const read = deskRoute(
  { acceptsApiTokens: true, permission: 'read', params: { bulkId: uuidSegment } },
  async ({ session, request, params: { bulkId } }) => {
    const db = await requireStore()
    const bulk = await findBulk(db, session.scope, bulkId)
    const { amounts } = getConnection(session.scope.connectionId).rules
    const flavour = csvFlavourOf(localeOf(request))
    return new Response(streamText(writeBulkResult(db, bulk, amounts, flavour)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="bulk-${bulk.id.slice(0, 8)}-result.csv"`,
      },
    })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
