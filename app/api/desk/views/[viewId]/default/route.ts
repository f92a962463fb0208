import { uuidSegment } from '@/lib/contract/path-segment'
import { viewDefault } from '@/lib/contract/saved-view-request'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'
import { setDefaultView } from '@/lib/server/views/saved-views'

/** Makes a view the one with which the user's list opens, or no longer. */
const set = deskRoute(
  { permission: 'read', params: { viewId: uuidSegment }, body: viewDefault },
  async ({ session, params, body }) => {
    await setDefaultView(await requireStore(), session, params.viewId, body.isDefault)
    return Response.json(null)
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ PUT: set })
