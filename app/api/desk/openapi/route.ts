import { makeOpenapi } from '@/lib/contract/openapi'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'

/** The interface as this desk speaks it, as an OpenAPI 3.1 document to keep. */
const download = deskRoute({ permission: 'read' }, () =>
  Response.json(makeOpenapi(), { headers: { 'content-disposition': 'attachment; filename="openapi.json"' } }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: download })
