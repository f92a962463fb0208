'use client'

import { formatClock } from '@/lib/domain/dates/date'
import { useAppConfig, useFormatCount, useViewerZone } from '../layout/app-config'
import { Link } from '../layout/link'
import type { ListDefinition, ViewTab } from './list-definition'
import type { TableView } from './table-view'
import type { ChangeView } from './use-table-view'
import type { ListId } from '@/lib/domain/lists/capabilities'
import type { StateCounts } from '@/lib/domain/overview'
import * as m from '@/lib/messages/m'

type ViewTabsProps<List extends ListId> = {
  definition: ListDefinition<List>
  view: TableView
  change: ChangeView
  addressOf: (view: TableView) => string
  stateCounts: StateCounts
}

/** The common views of a list above its filters, with how many rows they have where that is known. */
export function ViewTabs<List extends ListId>(props: ViewTabsProps<List>) {
  const { definition, view, change, addressOf, stateCounts } = props
  const { tabs } = definition
  const formatCount = useFormatCount()
  const { locale } = useAppConfig()
  const zone = useViewerZone()
  const countedAt = stateCounts
    ? m.lists_countedAt({ time: formatClock(Date.parse(stateCounts.asOf), zone, locale) })
    : undefined
  if (!tabs) return null
  const ids = [...new Set(tabs.flatMap(({ values }) => Object.keys(values)))]
  // Other filters belong to no tab: the numbers would not be those of the list.
  const isNarrowed = Object.keys(view.values).some((id) => !ids.includes(id))
  const apply = ({ values }: TableView, tab: ViewTab) => ({
    values: { ...Object.fromEntries(Object.entries(values).filter(([id]) => !ids.includes(id))), ...tab.values },
    sorting: tab.sorting,
  })
  return (
    <nav aria-label={m.lists_tabs({ name: definition.name() })} className="dt-tabs">
      <ul>
        {tabs.map((tab) => {
          const isCurrent = ids.every((id) => view.values[id] === tab.values[id])
          const states = tab.values.state?.toLowerCase().split(',')
          const count =
            states === undefined || stateCounts === null || isNarrowed
              ? null
              : states.reduce((sum, state) => sum + (stateCounts.states[state] ?? 0), 0)
          return (
            <li key={tab.label()}>
              <Link
                href={addressOf({ ...view, ...apply(view, tab), openRowId: null })}
                aria-current={isCurrent ? 'true' : undefined}
                onNavigate={(event) => {
                  event.preventDefault()
                  change((current) => ({ ...apply(current, tab), openRowId: null }))
                }}
              >
                {tab.label()}
                {count === null ? null : (
                  <span className="dt-tab-count" title={countedAt}>
                    {formatCount(count)}
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
