import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { makeScriptsOpenapi } from '@/lib/server/api-tokens/openapi'

/** What scripts may call with an API token, as a downloadable OpenAPI 3.1 document. */
const download = deskRoute({ acceptsApiTokens: true, permission: 'account' }, () =>
  Response.json(makeScriptsOpenapi(), {
    headers: { 'content-disposition': 'attachment; filename="debitdesk-openapi.json"' },
  }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: download })
