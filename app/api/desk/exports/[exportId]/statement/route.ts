import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { getConnection } from '@/lib/server/upstream/connection'
import { findExport, nameExport, writeStatement } from '@/lib/server/exports/queries'
import { requireStore } from '@/lib/server/store/store'

/** The statement of an export: a JSON file to accompany its CSV. */
const downloadStatement = deskRoute(
  { acceptsApiTokens: true, permission: 'export', params: { exportId: uuidSegment } },
  async ({ session, params }) => {
    const row = await findExport(await requireStore(), session, params.exportId)
    const { name } = getConnection(session.scope.connectionId)
    return new Response(`${JSON.stringify(writeStatement(row, name), null, 2)}\n`, {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="${nameExport(row)}.json"`,
      },
    })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: downloadStatement })
