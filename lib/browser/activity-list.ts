import type { ActivityView } from '@/lib/contract/activity'
import type { Page } from '@/lib/contract/page'
import { callDesk } from './call'
import { type FirstPage, RowList } from './row-list'

/** The activity log as a list that loads itself; `query` is that of its route, without place and size. */
export function openActivityList(query: URLSearchParams, first: FirstPage<ActivityView> = null): RowList<ActivityView> {
  return new RowList(
    {
      idOf: ({ id }) => id,
      read: (after, signal) => {
        const asked = new URLSearchParams(query)
        asked.set('limit', '100')
        if (after !== undefined) asked.set('after', after)
        return callDesk<Page<ActivityView>>(`/activity?${asked.toString()}`, { signal })
      },
    },
    first,
  )
}
