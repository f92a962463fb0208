import { segment } from '@/lib/contract/path-segment'
import { deskRoute } from '@/lib/server/desk-route'
import { deleteKnownAgreement } from '@/lib/server/known-agreements'
import { methods } from '@/lib/server/methods'

/** Deletes an agreement at the service and forgets it here. */
const remove = deskRoute({ permission: 'manage', params: { agreementId: segment } }, async ({ session, params }) => {
  await deleteKnownAgreement(session, params.agreementId)
  return Response.json({ deleted: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ DELETE: remove })
