import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { endMemberSessions } from '@/lib/server/team/commands'

const params = { userId: uuidSegment }

/** Ends all sessions of a member. Returns `{ ok: true }`. */
const end = deskRoute({ permission: 'administer', params }, async ({ session, params: { userId } }) => {
  await endMemberSessions(session, userId)
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: end })
