import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { viewRename } from '@/lib/server/saved-views/schema'
import { requireStore } from '@/lib/server/store/store'
import { deleteView, renameView } from '@/lib/server/saved-views/saved-views'

const params = { viewId: uuidSegment }

/** Renames a view and returns it. */
const rename = deskRoute(
  { permission: 'read', params, body: viewRename },
  async ({ session, params: { viewId }, body }) =>
    Response.json(await renameView(await requireStore(), session, viewId, body.name)),
)

/** Deletes a view. */
const remove = deskRoute({ permission: 'read', params }, async ({ session, params: { viewId } }) => {
  await deleteView(await requireStore(), session, viewId)
  return Response.json(null)
})

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: rename, DELETE: remove })
