import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { lineDecisions } from '@/lib/domain/customers/customer-import'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { decideLine } from '@/lib/server/imports/commands'
import { runImport } from '@/lib/server/imports/worker'
import { findImport, viewImport } from '@/lib/server/imports/import-record'
import { requireStore } from '@/lib/server/store/store'

const body = z.strictObject({
  line: z.int().min(1),
  decision: z.enum(lineDecisions),
  customerId: z.string().min(1).max(500).optional(),
})

/** Resolves a doubtful line by the user's decision. Returns CustomerImportView. */
const decide = deskRoute(
  { permission: 'manage', params: { importId: uuidSegment }, body },
  async ({ session, params, body }) => {
    const db = await requireStore()
    await decideLine(db, session, params.importId, body)
    const row = await findImport(db, session.scope, params.importId)
    if (body.decision === 'send-again' && row.state === 'running') await runImport(db, session, row)
    return Response.json(await viewImport(db, await findImport(db, session.scope, params.importId)))
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: decide })
