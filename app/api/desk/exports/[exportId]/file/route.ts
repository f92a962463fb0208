import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { recordActivity } from '@/lib/server/activity-log/append'
import { findExport, nameExport } from '@/lib/server/exports/queries'
import { streamExport } from '@/lib/server/exports/export-parts'
import { countExport } from '@/lib/server/exports/quota'
import { AppError } from '@/lib/server/runtime/app-error'
import { requireStore } from '@/lib/server/store/store'
import * as m from '@/lib/messages/m'

/** The CSV file of an ended export, complete or not; the download is logged. */
const downloadFile = deskRoute(
  { acceptsApiTokens: true, permission: 'export', writes: true, params: { exportId: uuidSegment } },
  async ({ session, params, request }) => {
    const db = await requireStore()
    const row = await findExport(db, session, params.exportId)
    if (row.sha256 === null) throw new AppError('conflict', { detail: m.refusals_theExportHasNotEndedYet() })
    const file = await streamExport(db, row)
    const headers = {
      // A broken-off download is shorter, and the browser reports it as failed.
      'content-length': String(row.bytes),
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${nameExport(row)}.csv"`,
    }
    // HEAD downloads nothing.
    if (request.method === 'HEAD') return new Response(null, { headers })
    await countExport(db, session)
    await recordActivity({
      connectionId: row.connectionId,
      actor: session.email,
      action: 'export.take',
      objectKind: 'export',
      objectId: row.id,
      details: { list: row.query.list, rows: row.rows, sha256: row.sha256 },
    })
    return new Response(file, { headers })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: downloadFile })
