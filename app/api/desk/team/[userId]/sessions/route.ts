import { uuidSegment } from '@/lib/contract/path-segment'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { endMemberSessions } from '@/lib/server/team/manage-members'

const params = { userId: uuidSegment }

/** Ends every sign-in of somebody of the team. Answers `{ ok: true }`. */
const end = deskRoute({ permission: 'administer', params }, async ({ session, params: { userId } }) => {
  await endMemberSessions(session, userId)
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: end })
