import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { listExportRequest } from '@/lib/server/exports/schema'
import { listOwnExports, viewExport } from '@/lib/server/exports/queries'
import { runExport } from '@/lib/server/exports/worker'
import { startExport } from '@/lib/server/exports/commands'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { requireStore } from '@/lib/server/store/store'

/** Starts an export in the background and returns its ListExportView. A whole list requires a recent password. */
const postExport = deskRoute(
  { acceptsApiTokens: true, permission: 'export', body: listExportRequest },
  async ({ session, body }) => {
    // Without a filter the export contains everything. A token's person proved themselves when making it.
    if (!body.asked && !body.rest && !session.apiToken) await requireRecentPassword(session)
    const db = await requireStore()
    const row = await startExport(db, session, body)
    void runExport(db, session, row)
    return Response.json(viewExport(row), { status: 202 })
  },
)

/** The user's own retained exports, newest first: `{ exports: ListExportView[] }`. */
const list = deskRoute({ acceptsApiTokens: true, permission: 'export' }, async ({ session }) => {
  const rows = await listOwnExports(await requireStore(), session)
  return Response.json({ exports: rows.map(viewExport) })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: postExport })
