import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { listExportChange } from '@/lib/server/exports/schema'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { findExport, viewExport } from '@/lib/server/exports/queries'
import { runExport } from '@/lib/server/exports/worker'
import { resumeExport, stopExport } from '@/lib/server/exports/commands'
import { requireStore } from '@/lib/server/store/store'

const params = { exportId: uuidSegment }

/** The current state of an export, as a ListExportView. */
const read = deskRoute(
  { acceptsApiTokens: true, permission: 'export', params },
  async ({ session, params: { exportId } }) =>
    Response.json(viewExport(await findExport(await requireStore(), session, exportId))),
)

/** Stops or resumes an export. Returns the ListExportView. */
const change = deskRoute(
  { acceptsApiTokens: true, permission: 'export', params, body: listExportChange },
  async ({ session, params: { exportId }, body: { action } }) => {
    const db = await requireStore()
    const row = await findExport(db, session, exportId)
    if (action === 'stop') return Response.json(viewExport(await stopExport(db, session, row)))
    const resumed = await resumeExport(db, session, row)
    if (resumed) void runExport(db, session, resumed)
    return Response.json(viewExport(resumed ?? row), { status: 202 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: change })
