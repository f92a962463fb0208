import { dehydrate, QueryClient } from '@tanstack/react-query'
import { randomUUID } from 'node:crypto'
import { activityKey, SERVER_READ_AT } from '@/lib/client/list-queries'
import { activityFilterQuery } from '@/lib/server/activity-log/schema'
import { listActivity } from '@/lib/server/activity-log/queries'
import { requirePageSession } from '@/lib/server/auth/session'
import { requireStore } from '@/lib/server/store/store'
import { toProblemDetails } from '@/lib/server/upstream/page-data'
import { activityFilters } from '@/lib/domain/activity/activity'
import { hasPermission } from '@/lib/api-contract/permission'
import type { SearchParams } from '../load-list'
import { ActivityPage } from './activity-page'
import { createMetadata } from '@/lib/server/auth/page-metadata'
import * as m from '@/lib/messages/m'

export const generateMetadata = createMetadata(m.activity_activity)

/** Parses the filters in the URL, ignoring invalid ones. */
async function readFilters(searchParams: SearchParams) {
  const given = await searchParams
  const read = activityFilters.flatMap((name) => {
    const [value] = [given[name]].flat()
    const one = activityFilterQuery.safeParse({ [name]: value })
    return one.success && value ? [[name, value] as const] : []
  })
  return Object.fromEntries(read)
}

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const session = await requirePageSession('account')
  const filters = await readFilters(searchParams)
  const query = activityFilterQuery.parse(filters)
  const visit = randomUUID()
  const client = new QueryClient()
  const failure = await requireStore()
    .then(async (db) => {
      const page = await listActivity(db, session, { query, limit: 100 })
      const key = activityKey(new URLSearchParams(Object.entries(filters)).toString(), visit)
      client.setQueryData(key, { pages: [page], pageParams: [null] }, { updatedAt: SERVER_READ_AT })
      return null
    })
    .catch((error: unknown) => toProblemDetails(error))
  const state = dehydrate(client)
  const seesAll = hasPermission(session.role, 'audit')
  return <ActivityPage filters={filters} loadId={visit} state={state} failure={failure} seesAll={seesAll} />
}
