import { getConnection } from '@/lib/server/connection'
import { testConnection } from '@/lib/server/connections/check-connection'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'

/** Asks the service of the merchant that the request is for, by reading only. Answers `{ findings }`. */
const test = deskRoute({ permission: 'administer' }, async ({ session }) =>
  Response.json({ findings: await testConnection(getConnection(session.scope.connectionId)) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: test })
