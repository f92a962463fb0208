'use client'

import { callDesk } from '@/lib/browser/call'
import { activityKey } from '@/lib/browser/list-query'
import type { ActivityView } from '@/lib/contract/activity'
import type { Page } from '@/lib/contract/page'
import { type RowList, type RowListOptions, useRowList } from '../data-table/use-row-list'

const idOf = ({ id }: ActivityView) => id

/** The activity log as a list that loads itself. */
export function useActivity(
  query: string,
  visit: string,
  options: RowListOptions<ActivityView> = {},
): RowList<ActivityView> {
  return useRowList(
    {
      key: activityKey(query, visit),
      idOf,
      read: (after, signal) => {
        const asked = new URLSearchParams(query)
        asked.set('limit', '100')
        if (after !== null) asked.set('after', after)
        return callDesk<Page<ActivityView>>(`/activity?${asked.toString()}`, { signal })
      },
    },
    options,
  )
}
