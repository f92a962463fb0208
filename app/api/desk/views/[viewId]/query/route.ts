import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { viewUpdate } from '@/lib/server/saved-views/schema'
import { requireStore } from '@/lib/server/store/store'
import { updateView } from '@/lib/server/saved-views/saved-views'

/** Replaces the query of a view and returns the view. */
const update = deskRoute(
  { permission: 'read', params: { viewId: uuidSegment }, body: viewUpdate },
  async ({ session, params, body }) =>
    Response.json(await updateView(await requireStore(), session, params.viewId, body.query)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: update })
