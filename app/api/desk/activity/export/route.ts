import { deskRoute, methods } from '@/lib/server/http/route-handler'
import { csvFlavourOf } from '@/lib/domain/csv'
import { localeOf } from '@/lib/server/http/reader-locale'
import { activityFilterQuery } from '@/lib/server/activity-log/schema'
import { appendActivity } from '@/lib/server/activity-log/append'
import { streamActivity } from '@/lib/server/activity-log/queries'
import { countDownload } from '@/lib/server/exports/quota'
import { requireStore } from '@/lib/server/store/store'

/** The activity log as CSV; the export itself is logged first. */
const exportActivity = deskRoute(
  { permission: 'account', writes: true, query: activityFilterQuery, repeatable: ['object'] },
  async ({ session, query, request }) => {
    const db = await requireStore()
    const open = async () => {
      await db.transaction((tx) =>
        appendActivity(tx, {
          connectionId: session.scope.connectionId,
          actor: session.email,
          action: 'export.activity',
          objectKind: 'export',
          objectId: 'activity',
          details: { filters: query },
        }),
      )
      return streamActivity(db, session, query, csvFlavourOf(localeOf(request)))
    }
    // HEAD exports nothing.
    return new Response(request.method === 'HEAD' ? null : await countDownload(db, session, open), {
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="activity-${new Date().toISOString().slice(0, 10)}.csv"`,
      },
    })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: exportActivity })
