import { deskRoute, methods } from '@/lib/server/http/route-handler'
import * as z from 'zod'
import { keepSigningSecret, openInbox, removeSigningSecret } from '@/lib/server/webhooks/inbox'
import { isSigningSecret } from '@/lib/server/webhooks/receive-message'
import { viewInbox } from '@/lib/server/webhooks/queries'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { requireStore } from '@/lib/server/store/store'
import * as m from '@/lib/messages/m'

const body = z.strictObject({
  secret: z.string().max(200).refine(isSigningSecret, { error: m.requestRules_mustBeASigningSecret }),
})

/** Stores the inbox's signing secret, where the API reveals it elsewhere. Returns an InboxView. */
const saveSecret = deskRoute({ permission: 'manage', body }, async ({ session, body: { secret } }) => {
  await requireRecentPassword(session)
  const db = await requireStore()
  await openInbox(db, session.scope.connectionId)
  await keepSigningSecret(db, session.scope.connectionId, secret)
  return Response.json(await viewInbox(session))
})

/** Forgets the inbox's signing secret, so that signatures are not checked. Returns an InboxView. */
const removeSecret = deskRoute({ permission: 'manage' }, async ({ session }) => {
  await requireRecentPassword(session)
  await removeSigningSecret(await requireStore(), session.scope.connectionId)
  return Response.json(await viewInbox(session))
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: saveSecret, DELETE: removeSecret })
