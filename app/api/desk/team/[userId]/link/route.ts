import { uuidSegment } from '@/lib/api-contract/path-segment'
import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { makeMemberLink } from '@/lib/server/team/commands'

const params = { userId: uuidSegment }

/** Makes a one-time link with which somebody of the team sets a password. Answers PasswordLink. */
const make = deskRoute({ permission: 'administer', params }, async ({ session, params: { userId } }) =>
  Response.json(await makeMemberLink(session, userId), { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: make })
