import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { segment } from '@/lib/api-contract/path-segment'
import { deleteKnownAgreement } from '@/lib/server/agreements/known-agreements'

/** Deletes an agreement in the API and from the known ones. */
const remove = deskRoute({ permission: 'manage', params: { agreementId: segment } }, async ({ session, params }) => {
  await deleteKnownAgreement(session, params.agreementId)
  return Response.json({ deleted: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: remove })
