import { dehydrate, QueryClient } from '@tanstack/react-query'
import type { Metadata } from 'next'
import { randomUUID } from 'node:crypto'
import { activityKey } from '@/lib/browser/list-query'
import { activityFilterQuery } from '@/lib/server/activity/activity-query'
import { listActivity } from '@/lib/server/activity/list-activity'
import { requirePageSession } from '@/lib/server/session'
import { requireStore } from '@/lib/server/store/require-store'
import { tellFailure } from '@/lib/server/tell-failure'
import { activityFilters } from '@/lib/contract/activity'
import { mayRole } from '@/lib/contract/permission'
import * as words from '@/lib/words/activity'
import type { SearchParams } from '../load-list'
import { ActivityPage } from './activity-page'

export const metadata: Metadata = { title: words.activity }

/** The filters in the address; those that cannot be read are as good as none. */
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
  const session = await requirePageSession()
  const filters = await readFilters(searchParams)
  const query = activityFilterQuery.parse(filters)
  const visit = randomUUID()
  const client = new QueryClient()
  const failure = await requireStore()
    .then(async (db) => {
      const page = await listActivity(db, session, { query, limit: 100 })
      const key = activityKey(new URLSearchParams(Object.entries(filters)).toString(), visit)
      client.setQueryData(key, { pages: [page], pageParams: [null] })
      return null
    })
    .catch((error: unknown) => tellFailure(error))
  const state = dehydrate(client)
  const seesAll = mayRole(session.role, 'cancel')
  return <ActivityPage filters={filters} visit={visit} state={state} failure={failure} seesAll={seesAll} />
}
