'use client'

import type { SortOrder } from '@/lib/api-contract/filter'
import type { StateCounts } from '@/lib/domain/overview'
import { describeState } from '@/lib/domain/states'
import type { Message } from '@/lib/language/runtime'
import type { TabsProps } from '../data-table/data-table'
import type { TableView } from '../data-table/table-view'
import { useFormatCount } from '../layout/app-config'
import { Link } from '../layout/link'
import { useStateCounts } from './use-state-counts'
import * as m from '@/lib/messages/m'

/** A view that is one press away. `state` as the filter writes it; undefined for all. */
type Tab = { label: Message; state?: string; sorting: SortOrder | null }

const TABS: readonly Tab[] = [
  { label: m.payments_tabAll, sorting: null },
  // What is due next comes first.
  {
    label: m.payments_tabUpcoming,
    state: 'Pending,Scheduled',
    sorting: { field: 'paymentDate', direction: 'asc' },
  },
  ...(['Settled', 'Rejected', 'Chargeback', 'Cancelled'] as const).map((state) => ({
    label: () => describeState(state),
    state,
    sorting: null,
  })),
]

/** The view that a tab leads to: its state in place of the one that is set, beside the other filters. */
function showTab({ values }: TableView, { state, sorting }: Tab) {
  const others = Object.entries(values).filter(([id]) => id !== 'state')
  const all = state === undefined ? others : [...others, ['state', state] as const]
  return { values: Object.fromEntries(all), sorting, openRowId: null }
}

type PaymentTabsProps = TabsProps & {
  /** What the server knew as it rendered the page that `loadId` identifies. */
  stateCounts: StateCounts
  loadId: string
}

/** The common views of the payments above their filters, with how many each has where that is known. */
export function PaymentTabs({ view, change, addressOf, stateCounts, loadId }: PaymentTabsProps) {
  const counts = useStateCounts(stateCounts, loadId)
  const formatCount = useFormatCount()
  // Other filters belong to no tab: the numbers would not be those of the list.
  const isNarrowed = Object.keys(view.values).some((id) => id !== 'state')
  return (
    <nav aria-label={m.lists_tabs({ name: m.payments_payments() })} className="dt-tabs">
      <ul>
        {TABS.map((tab) => {
          const states = tab.state?.toLowerCase().split(',')
          return (
            <li key={tab.label()}>
              <Link
                href={addressOf({ ...view, ...showTab(view, tab) })}
                aria-current={view.values.state === tab.state ? 'true' : undefined}
                onNavigate={(event) => {
                  event.preventDefault()
                  change((current) => showTab(current, tab))
                }}
              >
                {tab.label()}
                {counts && states && !isNarrowed ? (
                  <span className="dt-tab-count">
                    {formatCount(states.reduce((sum, state) => sum + (counts[state] ?? 0), 0))}
                  </span>
                ) : null}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
