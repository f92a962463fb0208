'use client'

import { usePathname, useRouter } from 'next/navigation'
import { type ComponentType, type ReactNode, useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import { useCancellations } from '@/lib/browser/cancellations'
import { keepMerchant } from '@/lib/browser/keep-merchant'
import type { KeptList } from '@/lib/browser/list-memory'
import type { ListId, Proofs } from '@/lib/contract/ability'
import type { Filter } from '@/lib/contract/filter'
import type { NamedView } from '@/lib/contract/saved-view'
import { useDeskAddress, useDeskFacts } from '../desk-facts'
import { ListTools } from '../list-tools/list-tools'
import { useCount } from '../use-count'
import { useViewerZone } from '../use-viewer-zone'
import type { CellFacts } from './cell-facts'
import type { ListRow } from '@/lib/contract/list-page'
import * as words from '@/lib/words/lists'
import type { TableDefinition } from './define-table'
import type { FirstRows } from './first-rows'
import { isNewestFirst } from './is-newest-first'
import { type ListPlan, planQuery } from './plan-query'
import { RefreshButton } from './refresh-button'
import { TableFace } from './table-face'
import { TableFrame } from './table-frame'
import { TableGrid } from './table-grid'
import { TableToolbar } from './table-toolbar'
import { type TableView, writeView } from './table-view'
import { useColumns } from './use-columns'
import { useProofs } from './use-proofs'
import { useRowList } from './use-row-list'
import { useSeenValues } from './use-seen-values'
import { useShownView } from './use-shown-view'
import { useTableView } from './use-table-view'
import { WalkStatus } from './walk-status'

/** What a table tells of itself to what stands beside it. */
export type BesideTable<List extends ListId> = {
  list: KeptList<ListRow<List>>['list']
  /** The key of the open row. */
  openKey: string | null
  close: () => void
  proofs: Proofs
  /** What the list shows: its filters and how they are brought about. */
  view: TableView
  plan: ListPlan
  mayCancel: boolean
}

type DataTableProps<List extends ListId> = {
  table: TableDefinition<List>
  first: FirstRows
  proofs: Proofs
  /** The reader's own columns; null for those that the table comes with. */
  own?: string | null
  /** The views that the reader may open. */
  views?: readonly NamedView[] | undefined
  /** What stands beside the list; it opens the row in the URL, where rows have no page of their own. */
  beside?: ComponentType<BesideTable<List>>
  /** Whether rows can be selected, for what stands beside the list. */
  selects?: boolean
  /** Whether the reader's role carries `cancel`. */
  mayCancel?: boolean
  /** What can be done here, beside the heading. */
  actions?: ReactNode
  /** Makes it a part of another page: only the rows that satisfy this. */
  within?: Filter
  /** What that part says where there is none, in place of what an empty list says. */
  empty?: { title: string; advice: string }
}

/** A part of the list that the desk has to pick out of all rows itself, before it has seen them all. */
const noneSoFar = { title: words.noneSoFar, advice: words.noneOfTheRows }

function useCellFacts(mayCancel: boolean): CellFacts {
  const { locale, amounts, schemeZone, states } = useDeskFacts()
  const viewerZone = useViewerZone()
  const address = useDeskAddress()
  const findCancellation = useCancellations()
  return useMemo(() => {
    const { cancelled, cancellable } = states
    return { locale, amounts, schemeZone, viewerZone, cancelled, cancellable, mayCancel, findCancellation, address }
  }, [locale, amounts, schemeZone, viewerZone, states, mayCancel, findCancellation, address])
}

/** A resource's page: heading, filters, the infinite grid and its state. All of it follows from the declaration. */
export function DataTable<List extends ListId>(props: DataTableProps<List>) {
  const {
    table,
    first,
    proofs: known,
    own = null,
    views,
    beside: Beside,
    selects = false,
    mayCancel = false,
    actions,
    within,
    empty = table.empty,
  } = props
  const router = useRouter()
  const [view, change] = useTableView(table)
  const { proofs, doubt } = useProofs(table.list, known)
  const plan = planQuery(table.filters, view, proofs, within)
  const address = usePathname() + writeView(table, { ...view, columns: null, open: null })
  const kept = useRowList({ table, address, plan, proofs, first, doubt })
  const { list, place } = kept
  const facts = useCellFacts(mayCancel)
  const formatCount = useCount()
  const choice = useColumns(table, view, own, change)
  const shown = useShownView(table, view, choice.layout, views)
  const seen = useSeenValues(list, table.filters)
  const readLoaded = () => (plan.rest.filter || plan.rest.order ? list.rows.size : 0)
  const loaded = useSyncExternalStore(list.changes.subscribe, readLoaded, readLoaded)

  const focusLeftRef = useRef<string | null>(null)
  const { order } = view
  const isOpen = view.open !== null
  // Back closes what is open; going from row to row leaves no trail.
  const openRow = useCallback((key: string) => change({ open: key }, isOpen ? 'replace' : 'push'), [change, isOpen])
  const close = useCallback(() => change({ open: null }, 'replace'), [change])
  const { address: addressOf } = table
  function openPage(key: string): void {
    const row = list.rows.get(key)
    const page = row && addressOf?.(row)
    if (page) router.push(keepMerchant(page))
  }

  function showFresh(): void {
    place.scroll(0)
    list.showFresh()
    document.querySelector('[data-scroller]')?.scrollTo({ top: 0 })
  }

  const refresh = (
    <RefreshButton
      key={kept.ask}
      list={list}
      isNewestFirst={isNewestFirst(list, table.createdField, plan)}
      onShowFresh={showFresh}
    />
  )
  return (
    <TableFrame
      name={table.name}
      viewName={shown.name}
      isPart={within !== undefined}
      list={list}
      actions={actions}
      refresh={refresh}
    >
      <TableToolbar
        filters={table.filters}
        view={view}
        change={change}
        seen={seen}
        note={[
          ...(loaded > 0 ? [words.withinLoadedRows(loaded, formatCount(loaded))] : []),
          ...(plan.mindsCase ? [words.capitalLettersCount] : []),
        ].join(', ')}
      >
        {within ? null : (
          <ListTools
            list={table.list}
            name={table.name}
            filters={table.filters}
            columns={table.columns}
            choice={choice}
            view={view}
            plan={plan}
            shown={shown}
          />
        )}
      </TableToolbar>
      <TableGrid
        key={`grid ${kept.ask} ${address}`}
        table={table}
        columns={choice.columns}
        kept={kept}
        next={first.next}
        facts={facts}
        order={order}
        onOrder={(next) => change({ order: next })}
        focusLeftRef={focusLeftRef}
        onOpen={addressOf ? openPage : Beside ? openRow : undefined}
        openKey={view.open}
        selects={selects}
        onLayout={within ? undefined : choice.change}
      />
      <TableFace
        list={list}
        name={table.name}
        empty={within && plan.rest.filter && list.walk.kind !== 'complete' ? noneSoFar : empty}
        isFiltered={Object.keys(view.values).length > 0}
        onClear={() => change({ values: {} })}
      />
      <WalkStatus key={`walk ${kept.ask} ${address}`} list={list} isNarrowed={plan.rest.filter !== null} />
      {Beside ? (
        <Beside
          list={list}
          openKey={view.open}
          close={close}
          proofs={proofs}
          view={view}
          plan={plan}
          mayCancel={mayCancel}
        />
      ) : null}
    </TableFrame>
  )
}
