import { getConnection } from '@/lib/server/upstream/connection'
import { testConnection } from '@/lib/server/merchants/check-connection'
import { deskRoute, methods } from '@/lib/server/http/route-handler'

/** Asks the service of the merchant that the request is for, by reading only. Answers `{ findings }`. */
const test = deskRoute({ permission: 'administer' }, async ({ session }) =>
  Response.json({ findings: await testConnection(getConnection(session.scope.connectionId)) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: test })
