import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { connectionChange } from '@/lib/domain/merchant-connection'
import { changeConnection, removeConnection, wakeWorkers } from '@/lib/server/merchants/commands'
import { requireRecentPassword } from '@/lib/server/auth/step-up'
import { requireStore } from '@/lib/server/store/store'

/** Changes the current merchant's connection, unless it has changed since it was shown. */
const change = deskRoute({ permission: 'administer', body: connectionChange }, async ({ session, body }) => {
  await requireRecentPassword(session)
  await changeConnection(await requireStore(), session, body)
  wakeWorkers()
  return Response.json({ changed: true })
})

/** Removes the current merchant from this installation. */
const remove = deskRoute({ permission: 'administer' }, async ({ session }) => {
  await requireRecentPassword(session)
  await removeConnection(await requireStore(), session)
  wakeWorkers()
  return Response.json({ removed: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change, DELETE: remove })
