import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { csvFlavourOf } from '@/lib/domain/csv'
import { localeOf } from '@/lib/server/http/reader-locale'
import { findImport, writeImportResult } from '@/lib/server/imports/import-record'
import { requireStore } from '@/lib/server/store/store'

/** The result of an import as a CSV file, as spreadsheets of the reader's locale open it. */
const read = deskRoute(
  { permission: 'manage', params: { importId: uuidSegment } },
  async ({ session, request, params }) => {
    const db = await requireStore()
    const { id } = await findImport(db, session.scope, params.importId)
    return new Response(await writeImportResult(db, id, csvFlavourOf(localeOf(request))), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="customers-${id.slice(0, 8)}-result.csv"`,
      },
    })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: read })
