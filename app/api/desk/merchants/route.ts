import { newConnection } from '@/lib/contract/connection-settings'
import { addConnection } from '@/lib/server/connections/change-connections'
import { wakeWorkers } from '@/lib/server/connections/wake-workers'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireRecentPassword } from '@/lib/server/require-recent-password'
import { requireStore } from '@/lib/server/store/require-store'

/** Adds a merchant with its service and credential. Answers `{ merchant }`, its id. */
const add = deskRoute({ permission: 'administer', body: newConnection }, async ({ session, body }) => {
  await requireRecentPassword(session)
  const merchant = await addConnection(await requireStore(), session, body)
  wakeWorkers()
  return Response.json({ merchant }, { status: 201 })
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ POST: add })
