import { uuidSegment } from '@/lib/contract/path-segment'
import { noteActivity } from '@/lib/server/activity/note-activity'
import { deskRoute } from '@/lib/server/desk-route'
import { findExport } from '@/lib/server/exports/export-row'
import { streamExport } from '@/lib/server/exports/export-text'
import { countExport } from '@/lib/server/exports/limit-exports'
import { nameExport } from '@/lib/server/exports/write-statement'
import { Failure } from '@/lib/server/failure'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'
import * as refusals from '@/lib/words/refusals'

/** The CSV file of an export that has ended, whole or not; that it was taken is written down. */
const take = deskRoute(
  { permission: 'read', writes: true, params: { exportId: uuidSegment } },
  async ({ session, params, request }) => {
    const db = await requireStore()
    const row = await findExport(db, session, params.exportId)
    if (row.sha256 === null) throw new Failure('conflict', { detail: refusals.theExportHasNotEndedYet })
    const file = await streamExport(db, row)
    const headers = {
      // A download that breaks off is shorter, and the browser reports it as failed.
      'content-length': String(row.bytes),
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${nameExport(row)}.csv"`,
    }
    // HEAD takes nothing away.
    if (request.method === 'HEAD') return new Response(null, { headers })
    countExport(session)
    await noteActivity({
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

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: take })
