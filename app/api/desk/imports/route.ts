import { importRequest } from '@/lib/server/imports/schema'
import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { runImport } from '@/lib/server/imports/worker'
import { startImport } from '@/lib/server/imports/commands'
import { findImport, listImports, viewImport } from '@/lib/server/imports/import-record'
import { requireStore } from '@/lib/server/store/store'

/** The latest imports. Answers `{ imports }`. */
const list = deskRoute({ permission: 'manage' }, async ({ session }) =>
  Response.json({ imports: await listImports(await requireStore(), session.scope) }),
)

/** Begins an import, or goes on with the one of the same file. Answers CustomerImportView. */
const start = deskRoute({ permission: 'manage', body: importRequest }, async ({ session, body }) => {
  const db = await requireStore()
  const row = await startImport(db, session, body)
  // It goes on after the answer: the browser follows it by asking.
  await runImport(db, session, row)
  return Response.json(await viewImport(db, await findImport(db, session.scope, row.id)), { status: 202 })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: start })
