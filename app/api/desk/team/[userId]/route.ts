import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { roles } from '@/lib/api-contract/permission'
import { changeRole, disableMember, enableMember, removeMember } from '@/lib/server/team/commands'

const params = { userId: uuidSegment }
const body = z.union([z.strictObject({ role: z.enum(roles) }), z.strictObject({ disabled: z.boolean() })])

/** Changes a member's role, or disables and enables their account. Returns `{ ok: true }`. */
const change = deskRoute(
  { permission: 'administer', params, body },
  async ({ session, params: { userId }, body: given }) => {
    if ('role' in given) await changeRole(session, userId, given.role)
    else if (given.disabled) await disableMember(session, userId)
    else await enableMember(session, userId)
    return Response.json({ ok: true })
  },
)

/** Removes a member from the team; their account and other merchants stay. Returns `{ ok: true }`. */
const remove = deskRoute({ permission: 'administer', params }, async ({ session, params: { userId } }) => {
  await removeMember(session, userId)
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PATCH: change, DELETE: remove })
