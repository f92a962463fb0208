import { listExportChange } from '@/lib/contract/list-export-request'
import { uuidSegment } from '@/lib/contract/path-segment'
import { deskRoute } from '@/lib/server/desk-route'
import { findExport, viewExport } from '@/lib/server/exports/export-row'
import { runExport } from '@/lib/server/exports/run-export'
import { resumeExport, stopExport } from '@/lib/server/exports/start-export'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'

const params = { exportId: uuidSegment }

/** An export as it stands, as a ListExportView. */
const read = deskRoute({ permission: 'read', params }, async ({ session, params: { exportId } }) =>
  Response.json(viewExport(await findExport(await requireStore(), session, exportId))),
)

/** Stops an export, or lets it go on where it was stopped. Answers the ListExportView. */
const change = deskRoute(
  { permission: 'read', params, body: listExportChange },
  async ({ session, params: { exportId }, body: { action } }) => {
    const db = await requireStore()
    const row = await findExport(db, session, exportId)
    if (action === 'stop') return Response.json(viewExport(await stopExport(db, row)))
    const resumed = await resumeExport(db, session, row)
    if (resumed) void runExport(db, session, resumed)
    return Response.json(viewExport(resumed ?? row), { status: 202 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: change })
