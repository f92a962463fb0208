import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { uuidSegment } from '@/lib/api-contract/path-segment'
import { viewDefault } from '@/lib/server/saved-views/schema'
import { requireStore } from '@/lib/server/store/store'
import { setDefaultView } from '@/lib/server/saved-views/saved-views'

/** Sets or clears a view as the user's default for its list. */
const set = deskRoute(
  { permission: 'read', params: { viewId: uuidSegment }, body: viewDefault },
  async ({ session, params, body }) => {
    await setDefaultView(await requireStore(), session, params.viewId, body.isDefault)
    return Response.json(null)
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: set })
