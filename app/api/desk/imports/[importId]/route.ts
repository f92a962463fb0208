import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { runImport } from '@/lib/server/imports/worker'
import { resumeImport, stopImport } from '@/lib/server/imports/commands'
import { findImport, viewImport } from '@/lib/server/imports/import-record'
import { requireStore } from '@/lib/server/store/store'

const params = { importId: uuidSegment }

/** The current state of an import. Returns CustomerImportView. */
const read = deskRoute({ permission: 'manage', params }, async ({ session, params }) => {
  const db = await requireStore()
  return Response.json(await viewImport(db, await findImport(db, session.scope, params.importId)))
})

/** Stops or resumes an import. Returns CustomerImportView. */
const change = deskRoute(
  { permission: 'manage', params, body: z.strictObject({ action: z.enum(['stop', 'go-on']) }) },
  async ({ session, params, body }) => {
    const db = await requireStore()
    if (body.action === 'stop') await stopImport(db, session, params.importId)
    else await runImport(db, session, await resumeImport(db, session, params.importId))
    return Response.json(await viewImport(db, await findImport(db, session.scope, params.importId)))
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read, POST: change })
