import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { apiTokenRequest } from '@/lib/domain/api-tokens'
import { makeToken, revokeOwnTokens } from '@/lib/server/api-tokens/commands'
import { listOwnTokens } from '@/lib/server/api-tokens/queries'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { requireStore } from '@/lib/server/store/store'

/** The caller's own API tokens at the merchant. Returns OwnApiTokens. */
const list = deskRoute({ permission: 'account' }, async ({ session }) =>
  Response.json(await listOwnTokens(await requireStore(), session)),
)

/** Makes an API token. Returns MadeApiToken, with the token's text. Requires a recent password. */
const make = deskRoute({ permission: 'account', body: apiTokenRequest }, async ({ session, body }) => {
  await requireRecentPassword(session)
  return Response.json(await makeToken(await requireStore(), session, body), { status: 201 })
})

/** Revokes all of the caller's own API tokens at the merchant. Returns OwnApiTokens. */
const revokeAll = deskRoute({ permission: 'account' }, async ({ session }) => {
  const db = await requireStore()
  await revokeOwnTokens(db, session)
  return Response.json(await listOwnTokens(db, session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list, POST: make, DELETE: revokeAll })
