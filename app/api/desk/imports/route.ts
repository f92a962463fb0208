import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { importRequest } from '@/lib/server/imports/schema'
import { runImport } from '@/lib/server/imports/worker'
import { startImport } from '@/lib/server/imports/commands'
import { findImport, listImports, viewImport } from '@/lib/server/imports/import-record'
import { requireStore } from '@/lib/server/store/store'

/** The latest imports. Returns `{ imports }`. */
const list = deskRoute({ permission: 'manage' }, async ({ session }) =>
  Response.json({ imports: await listImports(await requireStore(), session.scope) }),
)

/** Starts an import, or resumes the one of the same file. Returns CustomerImportView. */
const start = deskRoute({ permission: 'manage', body: importRequest }, async ({ session, body }) => {
  const db = await requireStore()
  const row = await startImport(db, session, body)
  // Continues after the response; the browser polls it.
  await runImport(db, session, row)
  return Response.json(await viewImport(db, await findImport(db, session.scope, row.id)), { status: 202 })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: start })
