import { dehydrate, QueryClient } from '@tanstack/react-query'
import { randomUUID } from 'node:crypto'
import { activityKey, SERVER_READ_AT } from '@/lib/client/list-queries'
import { activityFilterQuery } from '@/lib/server/activity-log/schema'
import { listActivity } from '@/lib/server/activity-log/queries'
import { requirePageSession } from '@/lib/server/auth/session'
import { requireStore } from '@/lib/server/store/store'
import { toProblemDetails } from '@/lib/server/upstream/page-data'
import { activityFilters, type ActivityFilters, type ActivityView } from '@/lib/domain/activity/activity'
import type { Page as ListPage } from '@/lib/api-contract/pagination'
import { hasPermission } from '@/lib/api-contract/permission'
import type { SearchParams } from '../load-list'
import { ActivityPage } from './activity-page'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.activity_activity)

/** The filters in the URL. */
async function readFilters(searchParams: SearchParams): Promise<ActivityFilters> {
  const given = await searchParams
  const read = activityFilters.flatMap((name) => {
    const [value] = [given[name]].flat()
    return value?.trim() ? [[name, value] as const] : []
  })
  return Object.fromEntries(read)
}

const noEntries: ListPage<ActivityView> = { results: [], unreadable: 0, continuation: { kind: 'end' } }

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession('account')
  const filters = await readFilters(searchParams)
  const query = activityFilterQuery.safeParse(filters)
  const notUnderstood = activityFilters.filter((name) => query.error?.issues.some(({ path }) => path[0] === name))
  const visit = randomUUID()
  const client = new QueryClient()
  const failure = await requireStore()
    .then(async (db) => {
      // As in the lists: a mistyped day is not to show all entries.
      const page = query.success ? await listActivity(db, session, { query: query.data, limit: 100 }) : noEntries
      const key = activityKey(new URLSearchParams(Object.entries(filters)).toString(), visit)
      client.setQueryData(key, { pages: [page], pageParams: [null] }, { updatedAt: SERVER_READ_AT })
      return null
    })
    .catch((error: unknown) => toProblemDetails(error))
  const state = dehydrate(client)
  const seesAll = hasPermission(session.role, 'audit')
  return (
    <ActivityPage
      filters={filters}
      notUnderstood={notUnderstood}
      loadId={visit}
      state={state}
      failure={failure}
      seesAll={seesAll}
    />
  )
}
