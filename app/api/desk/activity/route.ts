import { activityPageQuery } from '@/lib/server/activity/activity-query'
import { listActivity } from '@/lib/server/activity/list-activity'
import { deskRoute } from '@/lib/server/desk-route'
import { methods } from '@/lib/server/methods'
import { requireStore } from '@/lib/server/store/require-store'

/** A page of the activity log, newest first. Answers a Page of ActivityView. */
const list = deskRoute(
  { permission: 'read', query: activityPageQuery, repeatable: ['object'] },
  async ({ session, query: { after, limit, ...query } }) =>
    Response.json(await listActivity(await requireStore(), session, { query, after, limit })),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: list })
