import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { columnChoice } from '@/lib/server/saved-views/schema'
import { requireStore } from '@/lib/server/store/store'
import { storeColumnChoice } from '@/lib/server/saved-views/list-preferences'

/** Stores the user's column layout of a list. */
const saveColumns = deskRoute({ permission: 'read', body: columnChoice }, async ({ session, body }) => {
  await storeColumnChoice(await requireStore(), session, body.list, body.columns)
  return Response.json(null)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: saveColumns })
