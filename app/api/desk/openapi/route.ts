import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { makeOpenapi } from '@/lib/api-contract/openapi'

/** The contract as a downloadable OpenAPI 3.1 document. */
const download = deskRoute({ permission: 'account' }, () =>
  Response.json(makeOpenapi(), { headers: { 'content-disposition': 'attachment; filename="openapi.json"' } }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: download })
