import * as z from 'zod'
import { lineDecisions } from '@/lib/contract/customer-import'
import { uuidSegment } from '@/lib/contract/path-segment'
import { deskRoute } from '@/lib/server/desk-route'
import { decideLine } from '@/lib/server/imports/decide-line'
import { runImport } from '@/lib/server/imports/run-import'
import { findImport, viewImport } from '@/lib/server/imports/view-import'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'

const body = z.strictObject({
  line: z.int().min(1),
  decision: z.enum(lineDecisions),
  customerId: z.string().min(1).max(500).optional(),
})

/** Settles a line in doubt as a person says. Answers CustomerImportView. */
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
