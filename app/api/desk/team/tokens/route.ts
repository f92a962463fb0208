import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { listTeamTokens } from '@/lib/server/api-tokens/queries'
import { requireStore } from '@/lib/server/store/store'

/** All API tokens at the merchant. Returns TeamApiTokens. */
const list = deskRoute({ permission: 'administer' }, async ({ session }) =>
  Response.json(await listTeamTokens(await requireStore(), session)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list })
