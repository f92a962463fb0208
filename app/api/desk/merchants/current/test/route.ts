import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { getConnection } from '@/lib/server/upstream/connection'
import { testConnection } from '@/lib/server/merchants/check-connection'

/** Tests the current merchant's API with read-only requests. Returns `{ findings }`. */
const test = deskRoute({ permission: 'administer' }, async ({ session }) =>
  Response.json({ findings: await testConnection(getConnection(session.scope.connectionId)) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: test })
