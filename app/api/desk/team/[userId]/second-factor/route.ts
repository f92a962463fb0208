import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { resetFactor, withdrawFactorReset } from '@/lib/server/team/reset-factor'

const params = { userId: uuidSegment }

/** Asks for, or as a second admin does, the reset of a member's second factor. Returns `{ isReset }`. */
const reset = deskRoute({ permission: 'administer', params }, async ({ session, params: { userId } }) =>
  Response.json({ isReset: await resetFactor(session, userId) }),
)

/** Withdraws or declines the request. Returns `{ ok: true }`. */
const withdraw = deskRoute({ permission: 'administer', params }, async ({ session, params: { userId } }) => {
  await withdrawFactorReset(session, userId)
  return Response.json({ ok: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: reset, DELETE: withdraw })
