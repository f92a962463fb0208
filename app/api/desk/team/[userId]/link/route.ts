import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { makeMemberLink } from '@/lib/server/team/commands'

const params = { userId: uuidSegment }

/** Creates a one-time link for a member to set a password. Returns PasswordLink. */
const make = deskRoute({ permission: 'administer', params }, async ({ session, params: { userId } }) =>
  Response.json(await makeMemberLink(session, userId), { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: make })
