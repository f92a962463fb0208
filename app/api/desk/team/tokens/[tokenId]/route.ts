import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { revokeTeamToken } from '@/lib/server/api-tokens/commands'
import { listTeamTokens } from '@/lib/server/api-tokens/queries'
import { requireStore } from '@/lib/server/store/store'

const params = { tokenId: uuidSegment }

/** Revokes somebody's API token at the merchant. Returns TeamApiTokens. */
const revoke = deskRoute({ permission: 'administer', params }, async ({ session, params: { tokenId } }) => {
  const db = await requireStore()
  await revokeTeamToken(db, session, tokenId)
  return Response.json(await listTeamTokens(db, session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: revoke })
