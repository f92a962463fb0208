import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { activityPageQuery } from '@/lib/server/activity-log/schema'
import { listActivity } from '@/lib/server/activity-log/queries'
import { requireStore } from '@/lib/server/store/store'

/** A page of the activity log, newest first. Returns a Page of ActivityView. */
const list = deskRoute(
  { permission: 'account', query: activityPageQuery, repeatable: ['object'] },
  async ({ session, query: { after, limit, ...query } }) =>
    Response.json(await listActivity(await requireStore(), session, { query, after, limit })),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list })
