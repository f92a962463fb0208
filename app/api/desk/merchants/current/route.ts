import { newConnection } from '@/lib/contract/connection-settings'
import { changeConnection, removeConnection } from '@/lib/server/connections/change-connections'
import { wakeWorkers } from '@/lib/server/connections/wake-workers'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireRecentPassword } from '@/lib/server/require-recent-password'
import { requireStore } from '@/lib/server/store/require-store'

/** Changes the connection of the merchant that the request is for. */
const change = deskRoute({ permission: 'administer', body: newConnection }, async ({ session, body }) => {
  await requireRecentPassword(session)
  await changeConnection(await requireStore(), session, body)
  wakeWorkers()
  return Response.json({ changed: true })
})

/** Removes the merchant that the request is for from this desk. */
const remove = deskRoute({ permission: 'administer' }, async ({ session }) => {
  await requireRecentPassword(session)
  await removeConnection(await requireStore(), session)
  wakeWorkers()
  return Response.json({ removed: true })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: change, DELETE: remove })
