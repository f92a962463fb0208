import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { revokeOwnToken } from '@/lib/server/api-tokens/commands'
import { listOwnTokens } from '@/lib/server/api-tokens/queries'
import { requireStore } from '@/lib/server/store/store'

const params = { tokenId: uuidSegment }

/** Revokes one of the caller's own API tokens. Returns OwnApiTokens. */
const revoke = deskRoute({ permission: 'account', params }, async ({ session, params: { tokenId } }) => {
  const db = await requireStore()
  await revokeOwnToken(db, session, tokenId)
  return Response.json(await listOwnTokens(db, session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: revoke })
