import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { endOwnSessions, listOwnSessions } from '@/lib/server/auth/own-sessions'

const params = { sessionId: uuidSegment }

/** Ends one of the caller's sessions. Returns OwnSessions. */
const end = deskRoute({ permission: 'account', params }, async ({ session, params: { sessionId } }) => {
  await endOwnSessions(session, sessionId)
  return Response.json(await listOwnSessions(session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: end })
