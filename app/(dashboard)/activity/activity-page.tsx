'use client'

import { type DehydratedState, HydrationBoundary } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Fragment, startTransition, useOptimistic, useRef } from 'react'
import { ActivityRows } from '@/components/activity/activity-rows'
import { useActivity } from '@/components/activity/activity-log'
import { focusFirstFilter } from '@/components/forms/form-elements'
import { ListState } from '@/components/infinite-list/list-state'
import { ListStatus } from '@/components/infinite-list/list-status'
import type { RowList } from '@/components/infinite-list/use-list-query'
import { useMerchantAddress } from '@/components/layout/app-config'
import { PageHeader } from '@/components/layout/page-header'
import { NewRowsButton, useNewRows } from '@/components/list-tools/new-rows'
import { buttonClasses } from '@/components/ui/button'
import { withMerchantParam } from '@/lib/client/page-context'
import type { ActivityFilters, ActivityView } from '@/lib/domain/activity/activity'
import type { SerializedFailure } from '@/lib/api-contract/problem'
import { ActivityToolbar } from './activity-toolbar'
import * as m from '@/lib/messages/m'

type ActivityLogProps = {
  filters: ActivityFilters
  /** Which of them mean nothing: with one, no entry is shown. */
  notUnderstood: readonly (keyof ActivityFilters)[]
  /** Identifies this page load: another one reads the log again. */
  loadId: string
  /** Why there is no first page. */
  failure: SerializedFailure | null
  /** Whether the role may see sign-ins and settings, beside actions on records. */
  seesAll: boolean
}

function formatPath(path: string, filters: ActivityFilters): string {
  const query = new URLSearchParams(Object.entries(filters)).toString()
  return query === '' ? path : `${path}?${query}`
}

/** Milliseconds between two looks for new entries. */
const NEW_ENTRIES_INTERVAL_MS = 1_500

/** Back to the newest entries, where the next Tab leads into them. */
function goToTop(): void {
  const scroller = document.querySelector<HTMLElement>('[data-scroller]')
  scroller?.scrollTo({ top: 0 })
  scroller?.focus({ preventScroll: true })
}

/** Offers what has been written since. */
function NewEntries({ list }: { list: RowList<ActivityView> }) {
  const newRows = useNewRows(list, { kinds: ['activity', 'private-activity'], intervalMs: NEW_ENTRIES_INTERVAL_MS })
  return <NewRowsButton newRows={newRows} onTop={goToTop} />
}

/** The activity log of this merchant, as far as the user may see it. */
export function ActivityPage({
  state,
  ...props
}: ActivityLogProps & {
  /** The first page of the log, for the browser's cache. */
  state: DehydratedState
}) {
  return (
    <HydrationBoundary state={state}>
      <ActivityLog {...props} />
    </HydrationBoundary>
  )
}

function ActivityLog({ filters, notUnderstood, loadId, failure, seesAll }: ActivityLogProps) {
  const page = useRef<HTMLDivElement>(null)
  const list = useActivity(new URLSearchParams(Object.entries(filters)).toString(), loadId, { failure })
  const router = useRouter()
  const address = useMerchantAddress()
  // Optimistic: the toolbar shows the chosen filters until the server replies, and further choices build on them.
  const [chosen, choose] = useOptimistic(filters)
  // A pending push has no history entry yet: further changes replace it, not the entry before it.
  const pushedFrom = useRef<ActivityFilters>(null)
  const show = (next: ActivityFilters, history: 'push' | 'replace' = 'push') =>
    startTransition(() => {
      choose(next)
      if (history === 'push') pushedFrom.current = filters
      router[pushedFrom.current === filters ? 'push' : 'replace'](withMerchantParam(formatPath('/activity', next)), {
        scroll: false,
      })
    })
  return (
    <div ref={page} className="fill-screen flex min-h-0 flex-col">
      <PageHeader title={m.activity_activity()} about={seesAll ? null : m.activity_whatWasDoneToRecords()}>
        {notUnderstood.length > 0 ? null : (
          <>
            <NewEntries key={loadId} list={list} />
            <a
              href={address(formatPath('/api/desk/activity/export', filters))}
              download
              referrerPolicy="same-origin"
              className={buttonClasses()}
            >
              <Download aria-hidden className="size-4" />
              {m.activity_exportCsv()}
            </a>
          </>
        )}
      </PageHeader>
      <ActivityToolbar
        filters={chosen}
        notUnderstood={notUnderstood.filter((name) => chosen[name] === filters[name])}
        onFilter={show}
        seesAll={seesAll}
      />
      <Fragment key={loadId}>
        <ActivityRows list={list} name={m.activity_activity()} loadId={loadId} />
        <ListState
          list={list}
          name={m.activity_entries()}
          empty={{ title: m.activity_nothingHasHappenedYet(), advice: m.activity_whatIsDone() }}
          isFiltered={Object.keys(filters).length > 0}
          onClear={() => {
            focusFirstFilter(page.current)
            show({})
          }}
        />
        <ListStatus list={list} isFilteredClientSide={false} />
      </Fragment>
    </div>
  )
}
