import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { existingNumbersRequest } from '@/lib/server/imports/schema'
import { findExistingNumbers } from '@/lib/server/imports/find-customers'

/** Which customer numbers of a file customers have already. Changes nothing. Returns ExistingNumbers. */
const find = deskRoute({ permission: 'manage', body: existingNumbersRequest }, async ({ session, body: { numbers } }) =>
  Response.json(await findExistingNumbers(session, numbers)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: find })
