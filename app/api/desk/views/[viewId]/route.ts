import { uuidSegment } from '@/lib/contract/path-segment'
import { viewRename } from '@/lib/contract/saved-view-request'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'
import { deleteView, renameView } from '@/lib/server/views/saved-views'

const params = { viewId: uuidSegment }

/** Renames a view and answers it. */
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
